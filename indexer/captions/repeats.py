"""Roll-up captions, as live ones are: each cue repeats lines of the one before and adds to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.captions.cues import Cue, Line

# In captions that pop on, a line stands twice in a row where it is said twice; in those that roll up, nearly
# every cue begins with a line of the one before.
ROLL_UP_SHARE = 0.3


def without_repeats(cues: Sequence[Cue]) -> list[Cue]:
    """The cues, of each only what is new, if the captions roll up; a cue without anything new is left out.

    >>> rolling = [Cue(t, None, tuple(map(Line, lines))) for t, lines in enumerate(["A", "AB", "BC", "C"])]
    >>> [[line.text for line in cue.lines] for cue in without_repeats(rolling)]
    [['A'], ['B'], ['C']]
    """
    known = [_known(before, cue) for before, cue in pairwise(cues)]
    if sum(lines > 0 for lines, _ in known) < ROLL_UP_SHARE * len(known) or not known:
        return list(cues)
    return list(_new(cues, known))


def _new(cues: Sequence[Cue], known: Sequence[tuple[int, int]]) -> Iterator[Cue]:
    for cue, (lines, characters) in zip(cues, [(0, 0), *known], strict=True):
        rest = list(cue.lines[lines:])
        if lines and characters < len(cue.lines[lines - 1].text):
            grown = cue.lines[lines - 1]
            rest = [Line(grown.text[characters:].lstrip(), grown.voice), *rest]
        if rest:
            yield replace(cue, lines=tuple(rest))


def _known(before: Cue, cue: Cue) -> tuple[int, int]:
    """How many lines of a cue the one before ends with, and how many characters of the last of them."""
    shown, lines = [line.text for line in before.lines], [line.text for line in cue.lines]
    for count in range(min(len(shown), len(lines)), 0, -1):
        last = shown[-1]
        if shown[-count:-1] == lines[: count - 1] and f"{lines[count - 1]} ".startswith(f"{last} "):
            return count, len(last)
    return 0, 0
