"""Find the speakers whom a text names: in full, by surname or by initials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from quotations.names.person_names import split_name
from quotations.names.spellings import GIVEN_NAMES, is_nickname
from rostrum_core.names import fold_name, split_people

LEAST_LETTERS = 4
"""Minimum letters of a surname that counts without a given name."""

LEAST_MISSPELT = 6
"""Minimum letters of a name that may be misspelt."""

SURNAME_ALONE = 0.7
"""Certainty for a surname alone, relative to a full name."""

WORD = re.compile(r"[^\W\d_]+")
INITIALS = re.compile(r"\b[A-Z]{3,4}\b")
POSSESSIVE = re.compile(r"['’]s\b")
DATELINE = re.compile(r"\b[A-Z]{3,}\b(?=[^\n]{0,20}(?:[—–]| - |\())")
BEFORE_PLACES = "in at from near to of outside visit street avenue fort lake mount cape port"
CACHED_NAMES = 1 << 14
TITLES = "mr mrs ms dr president vice senator secretary general justice governor jr sr ii iii"
PLACE_BEFORE, TITLE = frozenset(BEFORE_PLACES.split()), frozenset(TITLES.split())


def find_named(speakers: Sequence[str | None], text: str) -> NDArray[np.float64]:
    """Return how certainly a text names each speaker, float64 (n,): 1 for the full name, less for the surname
    alone, else 0.

    Initials in capitals, such as "JFK", count like the surname. A name in a dateline, or after a preposition
    of place, is not taken as a person. A surname with another given name means somebody else: "Jimmy Johnson,
    the coach".

    >>> text = "LINCOLN (AP) - Lyndon Johnson came to Washington."
    >>> people = ["Lyndon B. Johnson", "Abraham Lincoln", "George Washington", "Andrew Johnson"]
    >>> find_named(people, text).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    plain = DATELINE.sub(" ", POSSESSIVE.sub("", text))
    words, initials = fold_words(plain), {match.lower() for match in INITIALS.findall(plain)}
    places: dict[str, dict[str, list[int]]] = {}  # by first letter, then by word
    for at, word in enumerate(words):
        places.setdefault(word[0], {}).setdefault(word, []).append(at)
    people = {person for name in set(speakers) if name for person in _list_people(name)}
    weights = {
        person: _weigh_name(person, words, places) or SURNAME_ALONE * (_shorten_name(person) in initials)
        for person in people
    }
    full = {person[-1] for person, weight in weights.items() if weight == 1.0}
    settled = {
        person: 0.0 if 0.0 < weight < 1.0 and person[-1] in full else weight
        for person, weight in weights.items()
    }  # a surname means the person of this surname who is named in full
    return np.array(
        [max((settled[person] for person in _list_people(name or "")), default=0.0) for name in speakers],
        np.float64,
    )


def _weigh_name(name: Name, words: Sequence[str], places: dict[str, dict[str, list[int]]]) -> float:
    parts = [part for part in name if part not in TITLE]
    if not parts or len(parts[-1]) < 2:
        return 0.0
    first, last = parts[0], parts[-1]
    alike = places.get(last[0], {})
    at_last = [at for word, starts in alike.items() if is_name(word, last) for at in starts]
    if len(parts) > 1 and any(first in words[max(0, at - 3) : at] for at in at_last):
        return 1.0
    at_last = _skip_namesake(first, sorted(at_last), words)
    alone = [at for at in at_last if at == 0 or words[at] != last or words[at - 1] not in PLACE_BEFORE]
    return SURNAME_ALONE if alone and len(last) >= LEAST_LETTERS else 0.0


def _skip_namesake(first: str, at_last: list[int], words: Sequence[str]) -> list[int]:
    """Drop the positions where a surname means another person than the one with the given name `first`.

    `at_last` are the positions of the surname, ascending. If another given name precedes the surname, the
    text speaks of the other person from there on: "Robert Kennedy", if `first` is "john". This position and
    all later ones are dropped, except those after a title: "President Kennedy".
    """
    before = [
        next((word for word in words[max(0, at - 3) : at][::-1] if len(word) > 1), "") for at in at_last
    ]
    others = [i for i, word in enumerate(before) if _is_other_given_name(word, first)]
    if not others:
        return at_last
    return [at for i, at in enumerate(at_last) if i < others[0] or before[i] in TITLE]


def _is_other_given_name(word: str, first: str) -> bool:
    """Return whether a word is a given name other than `first` and its forms.

    For "william", "john" is such a name, but "bill" is not.
    """
    return (
        word in GIVEN_NAMES
        and word != first
        and not is_nickname(word, first)
        and not is_nickname(first, word)
    )


def is_name(word: str, name: str) -> bool:
    """Return whether `word` is the name `name`, allowing a genitive and, in a long name, one wrong letter.

    >>> is_name("eisenhowers", "eisenhower"), is_name("eisenhowr", "eisenhower"), is_name("nixen", "nixon")
    (True, True, False)
    """
    return word in (name, f"{name}s") or is_one_letter_off(word, name)


def is_one_letter_off(word: str, name: str) -> bool:
    """Return whether `word` is a long `name` with one letter added, missing or wrong, or with two letters
    swapped.
    """
    if len(name) < LEAST_MISSPELT or word[:1] != name[0] or abs(len(word) - len(name)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), len(word))
    rests = (
        (word[start + 1 :], name[start + 1 :]),
        (word[start:], name[start + 1 :]),
        (word[start + 1 :], name[start:]),
    )
    swapped = (
        word[start : start + 2] == name[start : start + 2][::-1] and word[start + 2 :] == name[start + 2 :]
    )
    return swapped or any(ours == theirs for ours, theirs in rests)


def list_names(name: str, words: Sequence[str]) -> frozenset[str]:
    """Return the words of `words` that are part of the person's name `name`; none unless the surname is among
    them.

    If `name` names several people, these are the words that are part of any of their names.

    >>> sorted(list_names("John F. Kennedy", ["john", "kennedys", "berlin"]))
    ['john', 'kennedys']
    """
    return frozenset(word for person in _list_people(name) for word in _list_parts(person, words))


def _list_parts(name: Name, words: Sequence[str]) -> frozenset[str]:
    parts = [part for part in name if part not in TITLE]
    initials = _shorten_name(name)
    if not parts or not any(is_name(word, parts[-1]) or word == initials for word in words):
        return frozenset()
    return frozenset(word for word in words if word == initials or any(is_name(word, part) for part in parts))


def _shorten_name(name: Name) -> str:
    """Return the initials of a name in lower case, such as "jfk" for John F. Kennedy.

    Return "" for a name of fewer than three parts.
    """
    parts = [part for part in name if part not in TITLE]
    return "".join(part[0] for part in parts) if len(parts) > 2 else ""


@lru_cache(CACHED_NAMES)
def _list_people(name: str) -> tuple[Name, ...]:
    """Return the words of each person's name in a field that may name several people.

    Results are cached, because an archive has the same field many times.

    >>> _list_people("Kennedy, John F."), _list_people("Ann Roe and Bob Lee (Ind.)")
    ((('john', 'f', 'kennedy'),), (('ann', 'roe'), ('bob', 'lee')))
    """
    if LISTED.isdisjoint(name) and " and " not in name:
        words = tuple(fold_words(name))
        return (words,) if words else ()
    people = (tuple(fold_words(" ".join(split_name(person)))) for person in split_people(name))
    return tuple(words for words in people if words)


Name = tuple[str, ...]
"""The words of a person's name in lower case, without accents, the given name first."""

LISTED = frozenset(",;&([")
"""Characters by which a field may name several people, or one person in another order."""


def fold_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    return WORD.findall(fold_name(text))
