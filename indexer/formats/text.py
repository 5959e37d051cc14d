"""Plain text: paragraphs by blank line, or one a line; hard-wrapped lines are put together again."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    r"""Blocks of text, or the lines of one where each is a paragraph.

    >>> paragraphs("One paragraph.\nAnother one.")
    ['One paragraph.', 'Another one.']
    >>> paragraphs("Remarks\n\nOne paragraph.\nAnother one.\nA third.")
    ['Remarks', 'One paragraph.', 'Another one.', 'A third.']
    >>> paragraphs("Four score and seven years ago our fathers brought\nforth a new nation.\n\nNow.")
    ['Four score and seven years ago our fathers brought\nforth a new nation.', 'Now.']
    """
    found = [[line.strip() for line in block.split("\n")] for block in blocks(body)]
    least = 2 if len(found) == 1 else FEWEST_LINES
    parted = (lines if _is_one_a_line(lines, least) else ["\n".join(lines)] for lines in found)
    return [paragraph for several in parted for paragraph in several]


def _is_one_a_line(lines: list[str], least: int) -> bool:
    """Whether lines without a blank one are paragraphs: so many, and nearly all end as a sentence does."""
    ended = sum(bool(SENTENCE_END.search(line)) for line in lines)
    return len(lines) >= least and ended >= 0.8 * len(lines)
