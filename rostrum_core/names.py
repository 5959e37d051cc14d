"""Compare names of people by their words, ignoring case and accents, as filters do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

WORD = re.compile(r"[^\W_]+")
MOST_SUGGESTIONS = 5
LEAST_SIMILARITY = 0.75
"""Minimum similarity of a misspelt word to the intended one.

"Kenedy" and "Kennedy" have 0.92, "Regan" and "Reagan" 0.91.
"""


APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))


def fold_name(name: str) -> str:
    """Return a name in lower case, without accents, and with one form of apostrophe.

    >>> fold_name("Enrique Peña O’Brien")
    "enrique pena o'brien"
    """
    return strip_accents(name.casefold())


def strip_accents(name: str) -> str:
    """Return a name without accents, and with one form of apostrophe.

    >>> strip_accents("Enrique Peña O’Brien")
    "Enrique Pena O'Brien"
    """
    plain = name.translate(APOSTROPHES)
    if plain.isascii():
        return plain
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(character for character in apart if not unicodedata.combining(character))


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, casefolded and without accents.

    >>> sorted(name_words("Dr. José O’Neill-Smith"))
    ['dr', 'jose', 'neill', 'o', 'smith']
    """
    return frozenset(WORD.findall(fold_name(name)))


SEMICOLON = re.compile(r" ?; ?")
AND = re.compile(r",? (?:and|&) |, ")
ORGANISATION = frozenset(
    {
        "of",
        "on",
        "for",
        "the",
        "committee",
        "department",
        "office",
        "ministry",
        "council",
        "services",
        "party",
    }
    | {"commission", "government", "administration", "union", "association", "bureau", "board", "press"}
)
LONGEST_NAME = 400
"""Most characters of a field that is read as the names of several people."""


def split_people(name: str) -> tuple[str, ...]:
    """Return the names of the people in a field; a single name is a tuple of one.

    Names of several people stand between semicolons or end with "and". A comma alone joins no names, because
    an office, a place or a given name may follow it.

    >>> split_people("Jane Alder, Tom Birch and Cy Fox"), split_people("President Park and Obama")
    (('Jane Alder', 'Tom Birch', 'Cy Fox'), ('President Park', 'Obama'))
    >>> split_people("Josh Earnest, Press Secretary"), split_people("Committee on Ways and Means")
    (('Josh Earnest, Press Secretary',), ('Committee on Ways and Means',))
    """
    plain = " ".join(name.split())
    if len(plain) > LONGEST_NAME:
        return (name,)
    is_listed = ";" in plain
    if not is_listed and " and " not in plain and " & " not in plain:
        return (name,)
    parts = tuple(part for part in (SEMICOLON if is_listed else AND).split(plain) if part.strip())
    words = {word for part in parts for word in part.casefold().split()}
    return parts if len(parts) > 1 and (is_listed or ORGANISATION.isdisjoint(words)) else (name,)


def join_people(names: Sequence[str]) -> str:
    """Return the names of several people as one text, which `split_people` splits again.

    >>> join_people(["Jane Alder", "Tom Birch", "Cy Fox"]), join_people(["Smith, Ann", "Bob Lee"])
    ('Jane Alder, Tom Birch and Cy Fox', 'Smith, Ann; Bob Lee')
    """
    if len(names) < 2 or any("," in name or " and " in name for name in names):
        return "; ".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def match_names(names: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return those of `names` that have all words of at least one of the `wanted` names.

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
