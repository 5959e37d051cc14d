"""Tell from the words around the surname of an author whether a sentence means this author."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto

from jobs.famous.authors import GENERATIONS, Name
from quotations.names.person_names import PARTICLES
from quotations.names.speaker_names import PLACE_BEFORE, fold_words
from quotations.names.spellings import GIVEN_NAMES, is_nickname
from quotations.text.meaning import make_word_set

MOST_GIVEN_NAMES = 4
IN_PLACE = frozenset(("in", "at", "near", "outside", "visit"))
"""Words that precede places and authors: "in Lincoln, Nebraska", "in Shakespeare we read"."""

PART_OF_PLACE = PLACE_BEFORE - IN_PLACE - {"from", "of", "to"}
"""Words that form the name of a place with the next word: "Fort Madison"."""

PLACES = make_word_set("""
austin berlin bismarck boston carson chester cleveland columbus dallas darwin england florence france
hamilton holland houston ireland jackson jordan kent lancaster lincoln london madison monroe montgomery
nelson orleans paris quincy raleigh scotland sydney troy warwick washington wellington york""")
"""Surnames that are also well-known places."""

BYNAMES = frozenset(("elder", "younger", "great"))
"""Words that tell apart people of the same name: "Seneca the Elder"."""


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

    `words` are the words of the sentence, as matches in its text. The last word of `author` is the surname. A
    byname, such as "elder", is among the other words and counts as a given name.

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
    given_names = _list_given_names(own, words, at) + _list_bynames(own, words, at)
    if _has_own_name(given_names, own):
        return Mention.FULL_NAME
    if given_names:
        return Mention.NAMESAKE
    before = words[at - 1][0].casefold() if at else ""
    is_placed = before in PART_OF_PLACE or (before in IN_PLACE and author[-1] in PLACES)
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


def _list_bynames(own: Sequence[str], words: Sequence[re.Match[str]], at: int) -> list[str]:
    """Return the byname after the name at word `at`, such as "elder" in "Seneca the Elder".

    `own` are the other names of the author. An author without any is meant with every byname.
    """
    following = words[at + 1 : at + 3]
    if not own or len(following) < 2 or following[0][0].casefold() != "the":
        return []
    is_joined = _is_joined(words[at], following[0]) and _is_joined(*following)
    if not is_joined or not following[1][0][0].isupper() or _is_continued(words, at + 2):
        return []  # such as "Lincoln, the Great Emancipator"
    return [word for word in fold_words(following[1][0]) if word in BYNAMES or word in own]


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
