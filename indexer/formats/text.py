"""Plain text: paragraphs by blank line, by indent or one a line; hard-wrapped lines are put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.characters import blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.front_matter import split_front_matter

FEWEST_LINES = 3
"""Of a block among others: every tenth wrapped paragraph of two lines ends a sentence with the first."""

SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*$")


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """The one speech of the file.

    Raises:
        TranscriptError: the file is no text, too large, or empty, or its front matter is broken.
    """
    said, body = split_front_matter(source.text(), source.file)
    yield document(source, paragraphs(body), said, supplied=False, wrapped=True)


def paragraphs(body: str) -> list[str]:
    r"""Blocks of text; of a block, its lines where each is a paragraph, or what begins with an indented line.

    >>> paragraphs("One paragraph.\nAnother one.")
    ['One paragraph.', 'Another one.']
    >>> paragraphs("Remarks\n\nOne paragraph.\nAnother one.\nA third.")
    ['Remarks', 'One paragraph.', 'Another one.', 'A third.']
    >>> paragraphs("Four score and seven years ago our fathers brought\nforth a new nation.\n\nNow.")
    ['Four score and seven years ago our fathers brought\nforth a new nation.', 'Now.']
    >>> paragraphs("  Four score and seven years ago our fathers brought\nforth a new nation.\n  Now.\nHere.")
    ['Four score and seven years ago our fathers brought\nforth a new nation.', 'Now.\nHere.']
    """
    found = [block.split("\n") for block in blocks(body)]
    least = 2 if len(found) == 1 else FEWEST_LINES
    parted = ("\n".join(map(str.strip, some)) for lines in found for some in _parted(lines, least))
    return list(parted)


def _parted(lines: list[str], least: int) -> list[list[str]]:
    """The lines of each paragraph of a block: one a line, where they are sentences and at least `least`."""
    if len(lines) >= least and _end_sentences(lines):
        return [[line] for line in lines]
    return [lines[start:end] for start, end in pairwise([0, *_indented(lines), len(lines)])]


def _indented(lines: Sequence[str]) -> list[int]:
    """Which lines after the first stand further right than others, if a sentence ends before nearly each.

    So they begin paragraphs. A list, a quotation set apart and verse are indented within a sentence too.
    """
    margins = [len(line) - len(line.lstrip()) for line in (each.expandtabs() for each in lines[1:])]
    starts = [number for number, margin in enumerate(margins, start=1) if margin > min(margins)]
    return starts if _end_sentences([lines[start - 1] for start in starts]) else []


def _end_sentences(lines: Sequence[str]) -> bool:
    """Whether nearly all of these lines end as a sentence does."""
    ended = sum(bool(SENTENCE_END.search(line.rstrip())) for line in lines)
    return ended >= 0.8 * len(lines)
