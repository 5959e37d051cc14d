"""Remove repeats from roll-up captions, in which each cue (caption) repeats the end of the previous one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.captions.cues import Cue, CueLine

# In pop-on captions, a line occurs twice in a row only if it is said twice. In roll-up captions, nearly
# every cue begins with a line of the previous one.
ROLL_UP_SHARE = 0.3
# Some programs break the lines differently in each cue. Then this many consecutive words repeat in most
# cues.
FEWEST_WORDS, WORDS_SHARE = 3, 0.5


def drop_repeats(cues: Sequence[Cue]) -> list[Cue]:
    """Remove from each cue (caption) the text that it repeats from the end of the previous cue.

    A cue without new text is dropped. If too few cues repeat text, all are returned unchanged.

    >>> rolling = [Cue(t, None, tuple(map(CueLine, lines))) for t, lines in enumerate(["A", "AB", "BC", "C"])]
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
            rest = [CueLine(grown.text[characters:].lstrip(), grown.voice), *rest]
        if rest:
            yield replace(cue, lines=tuple(rest))


def _drop_words(cues: Sequence[Cue], repeated: Sequence[int]) -> Iterator[Cue]:
    for cue, count in zip(cues, [0, *repeated], strict=True):
        rest: list[CueLine] = []
        for line in cue.lines:
            words = line.text.split()
            if kept := words[count:]:
                rest.append(CueLine(" ".join(kept), line.voice))
            count = max(0, count - len(words))
        if rest:
            yield replace(cue, lines=tuple(rest))


def _count_repeated_lines(before: Cue, cue: Cue) -> tuple[int, int]:
    """Count the lines at the beginning of a cue (caption) that repeat the end of the previous cue.

    Return (lines, characters): the number of repeated lines, and the number of repeated characters in the
    last of them, which may have further words. For example, after a cue with the lines "A" and "So we", the
    cue "So we came" gives (1, 5). Both numbers are 0 if nothing is repeated.
    """
    shown, lines = [line.text for line in before.lines], [line.text for line in cue.lines]
    for count in range(min(len(shown), len(lines)), 0, -1):
        last = shown[-1]
        if shown[-count:-1] == lines[: count - 1] and f"{lines[count - 1]} ".startswith(f"{last} "):
            return count, len(last)
    return 0, 0


def _count_repeated_words(before: Cue, cue: Cue) -> int:
    """Count the words at the beginning of a cue (caption) that repeat the end of the previous cue.

    Return 0 if there are fewer than three such words.
    """
    shown, words = _split_words(before), _split_words(cue)
    for count in range(min(len(shown), len(words)), FEWEST_WORDS - 1, -1):
        if shown[-count:] == words[:count]:
            return count
    return 0


def _split_words(cue: Cue) -> list[str]:
    return [word.lower() for line in cue.lines for word in line.text.split()]
