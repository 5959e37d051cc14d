"""Plain text: paragraphs by blank line, or one a line; hard-wrapped lines are put together again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.characters import blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.front_matter import split_front_matter

SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*$")


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """The one speech of the file.

    Raises:
        TranscriptError: the file is no text, too large, or empty, or its front matter is broken.
    """
    said, body = split_front_matter(source.text(), source.file)
    yield document(source, paragraphs(body), said, supplied=False, wrapped=True)


def paragraphs(body: str) -> list[str]:
    r"""Blocks of text, or its lines where each is a paragraph.

    >>> paragraphs("One paragraph.\nAnother one.")
    ['One paragraph.', 'Another one.']
    >>> paragraphs("Four score and seven years ago our fathers brought\nforth a new nation.\n\nNow.")
    ['Four score and seven years ago our fathers brought\nforth a new nation.', 'Now.']
    """
    found = ["\n".join(line.strip() for line in block.split("\n")) for block in blocks(body)]
    if len(found) == 1 and _is_one_a_line(found[0].split("\n")):
        return found[0].split("\n")
    return found


def _is_one_a_line(lines: list[str]) -> bool:
    """Whether lines without a blank one are paragraphs: nearly all end as a sentence does."""
    ended = sum(bool(SENTENCE_END.search(line)) for line in lines)
    return len(lines) > 1 and ended >= 0.8 * len(lines)
