"""Read plain text: split it into paragraphs at blank lines and indents, and join wrapped lines.

If all lines of a block are whole sentences, every line is a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.characters import split_blocks
from indexer.dialogue_dashes import mark_changes
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.front_matter import split_front_matter
from indexer.name_lines import StyledBlock, mark_names
from indexer.page_layout import split_layout
from indexer.speaker_tags import may_begin_turn
from indexer.wrapping import WRAPPED
from quotations.text.abbreviations import CLOSING

FEWEST_ONE_A_LINE = 3
"""Minimum number of lines for a block, one of several, to be read as one paragraph per line.

Of wrapped two-line paragraphs, every tenth ends a sentence with its first line.
"""

SENTENCE_END = re.compile(rf"[.!?…:。！？।](?:[{CLOSING}」』]|\s»)*$")


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of a plain text file.

    Raises:
        TranscriptError: the file is not text, is too large or empty, or its front matter is broken.
    """
    said, body = split_front_matter(source.read_text(), source.file, refused, source.fields)
    blocks = mark_changes(mark_names(list(map(StyledBlock, split_layout(body, split_paragraphs)))))
    yield build_document(source, blocks, said, supplied=False, wrapped=True, head=True)


def split_paragraphs(body: str) -> list[str]:
    r"""Split text into paragraphs at blank lines and at indented lines.

    A block of lines that are whole sentences is split at every line.

    >>> split_paragraphs("One paragraph.\nAnother one.")
    ['One paragraph.', 'Another one.']
    >>> split_paragraphs("Remarks\n\nOne paragraph.\nAnother one.\nA third.")
    ['Remarks', 'One paragraph.', 'Another one.', 'A third.']
    >>> split_paragraphs("Four score and seven years ago our fathers brought\nforth a new nation.\n\nNow.")
    ['Four score and seven years ago our fathers brought\nforth a new nation.', 'Now.']
    >>> split_paragraphs("  Four score and seven years ago our fathers brought\nforth it.\n  Now.\nHere.")
    ['Four score and seven years ago our fathers brought\nforth it.', 'Now.\nHere.']
    """
    blocks = [block.split("\n") for block in split_blocks(body)]
    fewest = 2 if len(blocks) == 1 else FEWEST_ONE_A_LINE
    parted = []
    for lines in blocks:
        one_a_line = len(lines) >= fewest and _end_sentences(lines)
        starts = _find_sentence_starts(lines) if one_a_line else _find_indented(lines)
        parted += [lines[start:end] for start, end in pairwise([0, *starts, len(lines)])]
    return ["\n".join(map(str.strip, lines)) for lines in parted]


def _find_sentence_starts(lines: Sequence[str]) -> list[int]:
    """Return the indices of the lines, after the first, that begin a paragraph.

    `lines` is a block in which nearly every line is a whole paragraph. A line continues a paragraph only if
    the line before it does not end a sentence and has the length of a wrapped line.
    """
    before = enumerate(lines[:-1], start=1)
    return [n for n, line in before if SENTENCE_END.search(line.rstrip()) or len(line.strip()) not in WRAPPED]


def _find_indented(lines: Sequence[str]) -> list[int]:
    """Return the indices of the lines of a block that begin a new paragraph by their indent.

    The first line is not included. If a sentence ends before nearly every indented line, each indented line
    begins a paragraph. Otherwise only those that begin a speaker's turn do, because lists, block quotations
    and verse are also indented inside a sentence.
    """
    margins = [len(line) - len(line.lstrip()) for line in (text.expandtabs() for text in lines[1:])]
    least = min(margins, default=0)
    starts = [number for number, margin in enumerate(margins, start=1) if margin > least]
    if _end_sentences([lines[start - 1] for start in starts]):
        return starts
    return [start for start in starts if may_begin_turn(lines[start - 1].strip(), lines[start].strip())]


def _end_sentences(lines: Sequence[str]) -> bool:
    """Return whether a sentence ends at the end of nearly every line."""
    ended = sum(bool(SENTENCE_END.search(line.rstrip())) for line in lines)
    return ended >= 0.8 * len(lines)
