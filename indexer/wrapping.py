"""Join lines broken by the page width or a mail program, including words divided at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.blocks import Block
from indexer.characters import MARKS
from indexer.speaker_tags import LETTERS, may_begin_turn
from indexer.stage_directions import Removal

# Typical length of lines of prose that an editor or a mail program has wrapped. Verse is shorter; an
# unwrapped paragraph on one line is longer.
WRAPPED = range(45, 101)
LETTER = rf"(?:[^\W\d_][{MARKS}]*)"
DIVIDED = re.compile(
    rf"(?<![\w{MARKS}-])(?P<head>{LETTER}{{1,30}})(?P<hyphen>-)"
    rf"(?P<gap>[ \t]*\n[ \t]*)(?P<tail>{LETTER}{{1,30}})"
)
# These prefixes keep their hyphen before almost any word.
PREFIXES = frozenset(
    ("all", "cross", "ex", "half", "high", "long", "low", "mid", "self", "so", "vice", "well")
)
# After a hyphen and before another one, these words join the parts of a compound: "in-law", "of-the-art". In
# "govern-" and "ment-funded", the first hyphen is only that of the line end.
LINK_WORDS = frozenset(
    {"a", "after", "an", "and", "as", "at", "by", "for", "from", "in", "into", "it", "like", "no", "not"}
    | {"of", "off", "on", "or", "out", "over", "per", "so", "than", "the", "to", "under", "up", "with"}
)
GOES_ON = re.compile(r"-[^\W\d_]")


def unwrap_lines(block: str) -> str:
    r"""Replace each line end of a paragraph by a space where the page width broke the line; keep all offsets.

    A line counts as broken if it has 45 to 100 characters and the next line does not begin a speaker's turn.

    >>> unwrap_lines("Four score and seven years ago our fathers brought\nforth a new nation.\nNow.")
    'Four score and seven years ago our fathers brought forth a new nation.\nNow.'
    """
    lines = block.split("\n")
    joined = lines[:1]
    for before, line in pairwise(lines):
        wrapped = len(before) in WRAPPED and not may_begin_turn(before, line)
        joined += [" " if wrapped else "\n", line]
    return "".join(joined)


def join_lines(blocks: Sequence[Block]) -> list[Block]:
    """Join the lines that the page width broke, in each block (a paragraph with its ranges to remove).

    A line end between words becomes a space. A line end within a word is marked for removal: "well-" and
    "known" become "well-known". If the hyphen is not part of the word, it is removed as well: "govern-" and
    "ment" become "government".
    """
    removals = find_divided_words([block.mask_removals() for block in blocks])
    together = (Block(unwrap_lines(block.text), block.removals) for block in blocks)
    return [block.add_removals(more) for block, more in zip(together, removals, strict=True)]


def find_divided_words(blocks: Sequence[str]) -> list[list[Removal]]:
    r"""Return, for each block of text, the ranges to remove in order to join words divided at a line end.

    The line end is always removed. The hyphen is removed too, unless the word probably has a hyphen:

    - The text elsewhere has the word with a hyphen, or has both parts as words.
    - The first part is one of some prefixes, such as "well".
    - The second part is a link word with a hyphen of its own: "mother-" and "in-law".

    But if the text elsewhere has the word without a hyphen ("government"), the hyphen is removed.

    >>> find_divided_words(["a govern-\nment of well-\nknown men"])
    [[(8, 10, 'boilerplate'), (23, 24, 'boilerplate')]]
    """
    matches = [list(DIVIDED.finditer(block)) for block in blocks]
    words = frozenset(_collect_words(blocks)) if any(matches) else frozenset()
    return [
        [_build_removal(match, words) for match in of_block if match["tail"][0].islower()]
        for of_block in matches
    ]


def _build_removal(match: re.Match[str], words: frozenset[str]) -> Removal:
    start = match.start("gap") if _has_hyphen(match, words) else match.start("hyphen")
    return start, match.end("gap"), "boilerplate"


def _has_hyphen(match: re.Match[str], words: frozenset[str]) -> bool:
    head, tail = match["head"].lower(), match["tail"].lower()
    if head + tail in words:
        return False
    goes_on = tail in LINK_WORDS and GOES_ON.match(match.string, match.end("tail")) is not None
    return goes_on or head in PREFIXES or f"{head}-{tail}" in words or (head in words and tail in words)


def _collect_words(blocks: Sequence[str]) -> Iterator[str]:
    """Yield each word and each hyphenated pair ("well-known") of the blocks, in lower case.

    Words divided at a line end are left out.
    """
    for block in blocks:
        whole = DIVIDED.sub(" ", block).lower()
        yield from re.findall(LETTERS, whole)
        yield from re.findall(f"{LETTERS}-{LETTERS}", whole)
