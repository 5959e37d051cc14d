"""Captions that roll up, as live ones do: each cue repeats the end of the one before and adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.captions.cues import Cue, Line

# In captions that pop on, a line stands twice in a row where it is said twice; in those that roll up, nearly
# every cue begins with a line of the one before.
ROLL_UP_SHARE = 0.3
# Some programs cut the lines anew in each cue. Then the words are the same, so many in a row in most cues.
FEWEST_WORDS, WORDS_SHARE = 3, 0.5


def drop_repeats(cues: Sequence[Cue]) -> list[Cue]:
    """Return the cues, of each only what is new, if the captions roll up; a cue without anything new goes.

    >>> rolling = [Cue(t, None, tuple(map(Line, lines))) for t, lines in enumerate(["A", "AB", "BC", "C"])]
    >>> [[line.text for line in cue.lines] for cue in drop_repeats(rolling)]
    [['A'], ['B'], ['C']]
    """
    pairs = list(pairwise(cues))
    lines = [_count_repeated_lines(before, cue) for before, cue in pairs]
    if pairs and sum(count > 0 for count, _ in lines) >= ROLL_UP_SHARE * len(pairs):
        return list(_drop_lines(cues, lines))
    words = [_count_repeated_words(before, cue) for before, cue in pairs]
    if len(pairs) > 1 and sum(count > 0 for count in words) >= WORDS_SHARE * len(pairs):
        return list(_drop_words(cues, words))
    return list(cues)


def _drop_lines(cues: Sequence[Cue], repeated: Sequence[tuple[int, int]]) -> Iterator[Cue]:
    for cue, (lines, characters) in zip(cues, [(0, 0), *repeated], strict=True):
        rest = list(cue.lines[lines:])
        if lines and characters < len(cue.lines[lines - 1].text):
            grown = cue.lines[lines - 1]
            rest = [Line(grown.text[characters:].lstrip(), grown.voice), *rest]
        if rest:
            yield replace(cue, lines=tuple(rest))


def _drop_words(cues: Sequence[Cue], repeated: Sequence[int]) -> Iterator[Cue]:
    for cue, count in zip(cues, [0, *repeated], strict=True):
        rest: list[Line] = []
        for line in cue.lines:
            words = line.text.split()
            if kept := words[count:]:
                rest.append(Line(" ".join(kept), line.voice))
            count = max(0, count - len(words))
        if rest:
            yield replace(cue, lines=tuple(rest))


def _count_repeated_lines(before: Cue, cue: Cue) -> tuple[int, int]:
    """Return how many lines of a cue the one before ends with, and the characters of the last of them."""
    shown, lines = [line.text for line in before.lines], [line.text for line in cue.lines]
    for count in range(min(len(shown), len(lines)), 0, -1):
        last = shown[-1]
        if shown[-count:-1] == lines[: count - 1] and f"{lines[count - 1]} ".startswith(f"{last} "):
            return count, len(last)
    return 0, 0


def _count_repeated_words(before: Cue, cue: Cue) -> int:
    """Return with how many words of the end of the cue before it a cue begins; 0 if these are too few."""
    shown, words = _split_words(before), _split_words(cue)
    for count in range(min(len(shown), len(words)), FEWEST_WORDS - 1, -1):
        if shown[-count:] == words[:count]:
            return count
    return 0


def _split_words(cue: Cue) -> list[str]:
    return [word.lower() for line in cue.lines for word in line.text.split()]
