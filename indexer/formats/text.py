"""Plain text: paragraphs by blank line, or one a line; hard-wrapped lines are put together again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from indexer.characters import blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.front_matter import split_front_matter
from indexer.speakers import tag_at

# Lines of prose that an editor or a mail program has wrapped are about this long. Verse is shorter, and a
# line that is a paragraph of its own longer.
WRAPPED = range(45, 101)
SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*$")


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """The one speech of the file.

    Raises:
        TranscriptError: the file is no text, too large, or empty, or its front matter is broken.
    """
    said, body = split_front_matter(source.text(), source.file)
    yield document(source, paragraphs(body), said, supplied=False)


def paragraphs(body: str) -> list[str]:
    r"""Blocks of text with every paragraph's lines joined.

    >>> paragraphs("One paragraph.\nAnother one.")
    ['One paragraph.', 'Another one.']
    >>> paragraphs("Four score and seven years ago our fathers brought\nforth a new nation.\n\nNow.")
    ['Four score and seven years ago our fathers brought forth a new nation.', 'Now.']
    """
    found = blocks(body)
    if len(found) == 1 and _is_one_a_line(found[0].split("\n")):
        return [line for line in (line.strip() for line in found[0].split("\n")) if line]
    return [_unwrapped(block) for block in found]


def _is_one_a_line(lines: list[str]) -> bool:
    """Whether lines without a blank one are paragraphs: nearly all end as a sentence does."""
    ended = sum(bool(SENTENCE_END.search(line.rstrip())) for line in lines)
    return len(lines) > 1 and ended >= 0.8 * len(lines)


def _unwrapped(block: str) -> str:
    lines = [line.strip() for line in block.split("\n")]
    joined = lines[:1]
    for before, line in pairwise(lines):
        wrapped = len(before) in WRAPPED and not tag_at(line)
        joined += [" " if wrapped else "\n", line]
    return "".join(joined)
