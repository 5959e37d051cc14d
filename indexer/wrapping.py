"""Join lines broken by a page or a mail program, including words divided at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.blocks import Block
from indexer.speaker_tags import may_begin_turn
from indexer.stage_directions import Removal

# Typical length of lines of prose that an editor or a mail program has wrapped. Verse is shorter; an
# unwrapped paragraph on one line is longer.
WRAPPED = range(45, 101)
LETTERS = re.compile(r"[^\W\d_]+")
DIVIDED = re.compile(
    r"(?<![\w-])(?P<head>[^\W\d_]{1,30})(?P<hyphen>-)(?P<gap>[ \t]*\n[ \t]*)(?P<tail>[^\W\d_]{1,30})"
)
# These prefixes keep their hyphen before almost any word.
PREFIXES = frozenset(
    ("all", "cross", "ex", "half", "high", "long", "low", "mid", "self", "so", "vice", "well")
)


def unwrapped(block: str) -> str:
    r"""Replace each line end that only the page width caused by a space; keep the length of the block.

    >>> unwrapped("Four score and seven years ago our fathers brought\nforth a new nation.\nNow.")
    'Four score and seven years ago our fathers brought forth a new nation.\nNow.'
    """
    lines = block.split("\n")
    joined = lines[:1]
    for before, line in pairwise(lines):
        wrapped = len(before) in WRAPPED and not may_begin_turn(before, line)
        joined += [" " if wrapped else "\n", line]
    return "".join(joined)


def put_together(blocks: Sequence[Block]) -> list[Block]:
    """Remove the line ends that only the page width caused; join the words divided there."""
    removals = divided([block.mask_removals() for block in blocks])
    together = (Block(unwrapped(block.text), block.removals) for block in blocks)
    return [block.add_removals(more) for block, more in zip(together, removals, strict=True)]


def divided(blocks: Sequence[str]) -> list[list[Removal]]:
    r"""Return the ranges to remove from each block so that words divided at a line end become whole.

    Keep the hyphen if the rest of the text writes the word with one. Keep it if both parts are words there
    and the whole is not, and after a few prefixes.

    >>> divided(["a govern-\nment of well-\nknown men"])
    [[(8, 10, 'boilerplate'), (23, 24, 'boilerplate')]]
    """
    found = [list(DIVIDED.finditer(block)) for block in blocks]
    words = frozenset(_words(blocks)) if any(found) else frozenset()
    return [[_removal(each, words) for each in some if each["tail"][0].islower()] for some in found]


def _removal(found: re.Match[str], words: frozenset[str]) -> Removal:
    start = found.start("gap") if _keeps_hyphen(found, words) else found.start("hyphen")
    return start, found.end("gap"), "boilerplate"


def _keeps_hyphen(found: re.Match[str], words: frozenset[str]) -> bool:
    head, tail = found["head"].lower(), found["tail"].lower()
    if head + tail in words:
        return False
    return head in PREFIXES or f"{head}-{tail}" in words or (head in words and tail in words)


def _words(blocks: Sequence[str]) -> Iterator[str]:
    """Collect every word and every hyphenated pair, in lower case; skip words divided at a line end."""
    for block in blocks:
        whole = DIVIDED.sub(" ", block).lower()
        yield from LETTERS.findall(whole)
        yield from re.findall(r"[^\W\d_]+-[^\W\d_]+", whole)
