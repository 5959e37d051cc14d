"""Compare names of people by their words, ignoring case and accents, as filters do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

WORD = re.compile(r"[^\W_]+")
MOST_SUGGESTIONS = 5
LEAST_SIMILARITY = 0.75
"""Minimum similarity of a misspelt word to the intended one.

"Kenedy" and "Kennedy" have 0.92, "Regan" and "Reagan" 0.91.
"""


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, casefolded and without accents.

    >>> sorted(name_words("Dr. José O’Neill-Smith"))
    ['dr', 'jose', 'neill', 'o', 'smith']
    """
    apart = unicodedata.normalize("NFKD", name.casefold())
    return frozenset(
        WORD.findall("".join(character for character in apart if not unicodedata.combining(character)))
    )


JOINED = re.compile(r"\s*;\s*|,?\s+(?:and|&)\s+|,\s+(?=\S+\s+\S)")
"""Match what stands between the names of several people; after a comma, only before two words."""

OFFICE_WORDS = frozenset(
    {"the", "former", "president", "vice", "prime", "first", "minister", "secretary", "senator", "governor"}
    | {"chancellor", "chairman", "chairwoman", "chair", "mayor", "ambassador", "attorney", "general", "us"}
)
"""First words of what follows a name after a comma, if it is an office: "John Kerry, Secretary of State"."""


def is_joint_name(name: str) -> bool:
    """Return whether the name of a document's speaker names several people.

    >>> is_joint_name("Jane Alder, Tom Birch"), is_joint_name("Eva Elm and Kurt Fir")
    (True, True)
    >>> is_joint_name("Martin Luther King, Jr."), is_joint_name("John Kerry, Secretary of State")
    (False, False)
    """
    parts = [part.replace(".", "").casefold().split() for part in JOINED.split(name)]
    return len(parts) > 1 and all(len(words) > 1 and words[0] not in OFFICE_WORDS for words in parts)


def match_names(names: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the `names` that have all words of at least one of the `wanted` names, in order.

    A wanted name without a letter or figure matches only an identical name.

    >>> match_names(["John F. Kennedy", "SENATOR KENNEDY", "Ann Roe"], ["kennedy"])
    ('John F. Kennedy', 'SENATOR KENNEDY')
    >>> match_names(["John F. Kennedy", "SENATOR KENNEDY"], ["John Kennedy"])
    ('John F. Kennedy',)
    """
    wanted_words = [(name, name_words(name)) for name in wanted]
    return tuple(
        name
        for name in names
        if any(words <= name_words(name) if words else whole == name for whole, words in wanted_words)
    )


def find_similar(names: Iterable[str], wanted: str) -> list[str]:
    """Return a few of `names` that `wanted` may mean, most similar first.

    Such a name shares a word with `wanted`, or has a word that is nearly the same.

    >>> find_similar(["John F. Kennedy", "Ronald Reagan"], "Kenedy")
    ['John F. Kennedy']
    >>> find_similar(["Joe Biden"], "President Biden")
    ['Joe Biden']
    """
    wanted_words = name_words(wanted)
    scored = [(_count_shared(wanted_words, name_words(name)), name) for name in dict.fromkeys(names)]
    best = sorted((-score, name) for score, name in scored if score)
    return [name for _, name in best[:MOST_SUGGESTIONS]]


def _count_shared(wanted: frozenset[str], words: frozenset[str]) -> int:
    """Return how similar two names are: 2 for each word that both have, 1 for each similar word.

    Words of one letter do not count, and words of two letters count only if both names have them.
    """
    exact = {word for word in wanted & words if len(word) > 1}
    near = {word for word in wanted - exact if get_close_matches(word, words, n=1, cutoff=LEAST_SIMILARITY)}
    return 2 * len(exact) + len({word for word in near if len(word) > 2})
