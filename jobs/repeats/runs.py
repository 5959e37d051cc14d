"""Find the runs of consecutive words that two texts share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from quotations.text.meaning import select_content_words
from quotations.text.words import Word

LEAST_WORDS = 6
"""Minimum number of consecutive shared words: fewer are shared by chance."""

LEAST_CONTENT = 3
"""Minimum number of content words among them: "as I said a few moments ago" is nobody's quote."""


@dataclass(frozen=True, slots=True)
class SharedRun:
    """Locate a run of words that two texts share: the index of its first word in each text, and its number of
    words.
    """

    own: int
    other: int
    length: int


def find_runs(own: Sequence[Word], other: Sequence[Word]) -> list[SharedRun]:
    """Return the longest runs of words that two texts share, the longest first.

    The runs do not overlap in `other`. Each has at least `LEAST_WORDS` words and `LEAST_CONTENT` content
    words.

    >>> from quotations.text.words import split_words
    >>> own = split_words("We choose to go to the moon now.")
    >>> other = split_words("Yes, we choose to go to the moon!")
    >>> find_runs(own, other)
    [SharedRun(own=0, other=1, length=7)]
    """
    places = defaultdict(list)
    for at in range(len(own) - LEAST_WORDS + 1):
        places[_read_keys(own, at)].append(at)
    runs = [
        _extend(own, other, mine, at)
        for at in range(len(other) - LEAST_WORDS + 1)
        for mine in places.get(_read_keys(other, at), ())
        if mine == 0 or at == 0 or own[mine - 1].key != other[at - 1].key
    ]
    chosen: list[SharedRun] = []
    for run in sorted(runs, key=lambda run: (-run.length, run.other)):
        if all(is_apart(run, done) for done in chosen):
            chosen.append(run)
    return [run for run in chosen if has_content(own[run.own : run.own + run.length])]


def is_apart(run: SharedRun, other: SharedRun) -> bool:
    """Return whether two runs, sequences of words that two texts share, do not overlap in the second text."""
    return run.other >= other.other + other.length or run.other + run.length <= other.other


def has_content(words: Sequence[Word]) -> bool:
    """Return whether at least `LEAST_CONTENT` of the words are content words, such as "moon", and not "the"
    or "we".
    """
    return len(select_content_words(word.key for word in words)) >= LEAST_CONTENT


def _read_keys(words: Sequence[Word], at: int) -> tuple[str, ...]:
    return tuple(word.key for word in words[at : at + LEAST_WORDS])


def _extend(own: Sequence[Word], other: Sequence[Word], mine: int, theirs: int) -> SharedRun:
    length = LEAST_WORDS
    while (
        mine + length < len(own)
        and theirs + length < len(other)
        and own[mine + length].key == other[theirs + length].key
    ):
        length += 1
    return SharedRun(mine, theirs, length)
