"""Separate captions in which each cue has two languages, one below the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from indexer.captions.cues import Cue
from indexer.language import are_two_languages

IN_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
# Share of cues with words that have as many lines in one language as in the other.
EVEN_SHARE = 0.9


def split_languages(cues: Sequence[Cue]) -> list[list[Cue]]:
    """Split cues (captions) in two languages into two lists, one for each language.

    The first list has the upper half of each cue's lines, and the second the lower half. A cue with an odd
    number of lines is not split, and is in the first list. If there is only one language, return a single
    list of all cues.
    """
    spoken = [cue for cue in cues if any(map(str.isalnum, IN_BRACKETS.sub("", _join([cue]))))]
    even = [cue for cue in spoken if len(cue.lines) % 2 == 0]
    if not even or len(even) < EVEN_SHARE * len(spoken):
        return [list(cues)]
    upper = [_take_half(cue, 0) for cue in even]
    lower = [_take_half(cue, 1) for cue in even]
    if not are_two_languages(_join(upper), _join(lower)):
        return [list(cues)]
    return [[cue if len(cue.lines) % 2 else _take_half(cue, 0) for cue in cues], lower]


def _take_half(cue: Cue, number: int) -> Cue:
    half = len(cue.lines) // 2
    return replace(cue, lines=cue.lines[number * half : (number + 1) * half])


def _join(cues: Sequence[Cue]) -> str:
    return " ".join(line.text for cue in cues for line in cue.lines)
