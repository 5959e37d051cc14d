"""Compare names of authors, and tell from the words around a name whether a text means an author."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache

from jobs.verify.speakers import is_same_person, may_be_same_person
from quotations.names.person_names import PARTICLES, split_name
from quotations.names.speaker_names import PLACE_BEFORE, fold_words
from quotations.names.spellings import GIVEN_NAMES, is_nickname
from rostrum_core.names import name_words, split_people

GENERATIONS = frozenset(("jr", "sr", "ii", "iii", "iv"))
"""Words after a name that tell apart people of the same name: "Oliver Wendell Holmes Jr."."""

PEERAGE = re.compile(r",\s+(?=(?:lord|lady|baron|baroness|earl)\b)", re.IGNORECASE)
"""Comma between a first name and a title: "Alfred, Lord Tennyson"."""

AUTHOR_PLACE_BEFORE = PLACE_BEFORE - {"from", "of", "to"}
"""Words before the name of a place. The others precede authors as well: "a line of Shelley"."""

MOST_GIVEN_NAMES, CACHED_NAMES = 4, 1 << 16
Name = tuple[str, ...]
"""The words of a name in lower case, without accents, the given name first."""


@lru_cache(CACHED_NAMES)
def is_same_author(name: str, other: str) -> bool:
    """Return whether two names are certainly of the same author.

    The shorter name may be the end of the longer one. Otherwise surnames and first names must match, and the
    shorter name may only lack initials.

    >>> is_same_author("Shakespeare", "William Shakespeare"), is_same_author("JF Kennedy", "John Kennedy")
    (True, False)
    >>> is_same_author("John Adams", "John Q. Adams"), is_same_author("John Adams", "John Quincy Adams")
    (True, False)
    >>> is_same_author("Martin Luther", "Martin Luther King"), is_same_author("Bob Burns", "Robert Burns")
    (False, True)
    """
    people, others = split_people(name), split_people(other)
    if len(people) > 1 or len(others) > 1:
        return any(is_same_author(person, another) for person in people for another in others)
    if _are_generations(name, other):
        return False
    short, long = sorted((_split_author(name), _split_author(other)), key=len)
    if not short or long[-len(short) :] == short:
        return bool(short)
    if len(short) < 2 or short[-1] != long[-1] or not _is_form(short[0], long[0]):
        return False
    return _are_fitting_middles(_drop_particles(short[1:-1]), _drop_particles(long[1:-1]))


@lru_cache(CACHED_NAMES)
def may_be_same_author(name: str, other: str) -> bool:
    """Return whether two names may be of the same author.

    >>> may_be_same_author("Dante", "Dante Alighieri"), may_be_same_author("John Adams", "John Quincy Adams")
    (True, True)
    >>> may_be_same_author("Robert Burns", "Robert Browning")
    False
    """
    if is_same_author(name, other):
        return True
    return not _are_generations(name, other) and (
        is_same_person(name, other) or may_be_same_person(name, other)
    )


def _are_generations(name: str, other: str) -> bool:
    """Return whether two names differ in their "Jr.", "Sr." or number, and so mean two people."""
    mine, theirs = (name_words(text) & GENERATIONS for text in (name, other))
    return bool(mine and theirs) and mine != theirs


def _split_author(name: str) -> Name:
    plain = PEERAGE.sub(" ", name).replace("-", " ")
    return split_name(plain) or tuple(fold_words(plain))  # "Pope" is a title, and a surname if alone


def _drop_particles(words: Name) -> Name:
    return tuple(word for word in words if word not in PARTICLES)


def _is_form(word: str, other: str) -> bool:
    """Return whether two given names are the same, or one is a nickname or the initial of the other."""
    if len(word) == 1 or len(other) == 1:
        return word[0] == other[0]
    return word == other or is_nickname(word, other)


def _are_fitting_middles(short: Name, long: Name) -> bool:
    if not short:
        return all(len(word) == 1 for word in long)
    return len(short) == len(long) and all(map(_is_form, short, long))


class Mention(Enum):
    """Kind of a mention of an author's surname.

    `FULL_NAME`: after a given name or the initials of the author. `SURNAME`: without a given name.
    `NAMESAKE`: after a given name of somebody else. `OTHER`: a place, or a part of a longer name.
    """

    FULL_NAME = auto()
    SURNAME = auto()
    NAMESAKE = auto()
    OTHER = auto()


def read_mention(author: Name, words: Sequence[re.Match[str]], at: int) -> Mention:
    r"""Return the kind of the mention at word `at` of a sentence, which is the surname of an author.

    `words` are the words of the sentence, as matches in its text. The last word of `author` is the surname.

    >>> words = list(re.finditer(r"\w+", "In France, Martin Luther King and Robert Burns met Twain"))
    >>> for author, at in (("anatole france", 1), ("martin luther", 3), ("ken burns", 7), ("mark twain", 9)):
    ...     read_mention(tuple(author.split()), words, at).name
    'OTHER'
    'OTHER'
    'NAMESAKE'
    'SURNAME'
    """
    if _is_continued(words, at):
        return Mention.OTHER
    own = fold_words(" ".join(author[:-1]))
    given_names = _list_given_names(own, words, at)
    if _has_own_name(given_names, own):
        return Mention.FULL_NAME
    if given_names:
        return Mention.NAMESAKE
    is_placed = at > 0 and words[at - 1][0].casefold() in AUTHOR_PLACE_BEFORE
    return Mention.OTHER if is_placed and not _is_possessive(words[at]) else Mention.SURNAME


def choose_named(mentions: Mapping[Name, set[Mention]]) -> list[Name]:
    """Return the authors that a sentence names, from the kinds of mentions of each author's surname.

    A surname alone means the author whom the sentence names in full, if there is one. It means none of the
    list's authors if the sentence names a namesake.
    """
    full = {author for author, kinds in mentions.items() if Mention.FULL_NAME in kinds}
    surnames = {author[-1] for author in full}
    return [
        author
        for author, kinds in mentions.items()
        if author in full
        or (Mention.SURNAME in kinds and Mention.NAMESAKE not in kinds and author[-1] not in surnames)
    ]


def _is_continued(words: Sequence[re.Match[str]], at: int) -> bool:
    """Return whether the name at word `at` goes on with another name: "Luther King", "Pope Francis"."""
    following = words[at + 1 : at + 2]
    if not following or _is_possessive(words[at]) or not _is_joined(words[at], following[0]):
        return False
    word = following[0][0]
    is_shouted = word.isupper() and (len(word) == 1 or words[at][0].isupper())  # capitals say nothing there
    return word[0].isupper() and not is_shouted and word.casefold() not in GENERATIONS


def _list_given_names(own: Sequence[str], words: Sequence[re.Match[str]], at: int) -> list[str]:
    """Return the given names and initials right before the surname at word `at`, in order.

    `own` are the names of the author before the surname. They count even if they are no common given names.
    """
    first = at
    while first and at - first < MOST_GIVEN_NAMES and _is_name_before(words[first - 1], words[first]):
        first -= 1
    before = [word for match in words[first:at] for word in fold_words(match[0])]
    return [word for word in before if len(word) == 1 or word in GIVEN_NAMES or word in own]


def _is_name_before(word: re.Match[str], following: re.Match[str]) -> bool:
    return (word[0][0].isupper() or word[0] in PARTICLES) and _is_joined(word, following)


def _has_own_name(given_names: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether the given names before a surname are the author's own.

    If either are only initials, the first must match.
    """
    if not (given_names and own):
        return False
    names = [word for word in given_names if len(word) > 1]
    if any(word == name or is_nickname(word, name) for word in names for name in own):
        return True
    return not (names and len(own[0]) > 1) and given_names[0][0] == own[0][0]


def _is_joined(word: re.Match[str], following: re.Match[str]) -> bool:
    """Return whether only spaces, or a full stop as in "J. Keats", stand between two words."""
    between = word.string[word.end() : following.start()]
    return between.strip() in ("", ".") and between.count("\n") < 2


def _is_possessive(word: re.Match[str]) -> bool:
    return word[0].endswith(("'s", "’s")) or word.string.startswith(("'", "’"), word.end())
