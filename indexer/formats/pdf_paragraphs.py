"""Build paragraphs from the lines of PDF pages, by gaps, indents, type sizes, and short last lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from statistics import median
from typing import NamedTuple

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.pdf_edges import PdfPage
from indexer.formats.pdf_pages import PdfLine
from indexer.speaker_tags import may_begin_turn
from quotations.text.abbreviations import CLOSING

# In lines: a wider gap than this, from base line to base line, separates paragraphs.
GAP = 1.3
# In type sizes: the least indent.
INDENT = 0.8
OTHER_SIZE = 1.1
SHORT = 0.8  # of its column's width
LEAST_INDENTED = 0.03  # of all lines, in a document that indents its paragraphs
SENTENCE_END = re.compile(rf"[.!?…:](?:[{CLOSING}]|\s»)*$")
BULLETS = ("•", "◦", "▪", "‣", "·")
DIVIDED = re.compile(r"[^\W_]-$")


class PlacedLine(NamedTuple):
    """Hold a line of a page with the `left` and `right` edge of its column, in points.

    `gap` is the distance from the previous line of the column, in points, or `None` for the first line.
    """

    line: PdfLine
    left: float
    right: float
    gap: float | None

    def measure_indent(self) -> float:
        """Return the distance of the line from its column's left edge, in units of its type size."""
        return (self.line.left - self.left) / max(self.line.size, 1.0)

    def is_short_end(self) -> bool:
        """Return whether the line ends a sentence and leaves room for more words."""
        short = self.line.right - self.left < SHORT * (self.right - self.left)
        return short and self.is_sentence_end()

    def is_sentence_end(self) -> bool:
        """Return whether the line ends with a mark that may end a sentence."""
        return bool(SENTENCE_END.search(self.line.text))


@dataclass
class PdfParagraph:
    """Collect the lines of a paragraph, and the running heads and page numbers between them."""

    lines: list[PlacedLine] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    def get_size(self) -> float:
        """Return the type size of the first line, in points."""
        return self.lines[0].line.size

    def join_text(self) -> str:
        """Return the paragraph's words on one line, without running heads and page numbers."""
        return normalise_line(" ".join(placed.line.text for placed in self.lines))

    def build_block(self) -> Block:
        """Return the paragraph's text and its asides (running heads, page numbers) as a block.

        If a line ends in a hyphen, the hyphen and the line end are kept, because the word may be divided or
        compound.
        """
        return build_block(self.pieces)

    def is_heading(self) -> bool:
        """Return whether the paragraph is in capitals and does not end a sentence: "ORAL ARGUMENT"."""
        return self.join_text().isupper() and not self.lines[-1].is_sentence_end()

    def build_asides(self) -> Block:
        """Return a block with only the running heads and page numbers inside the paragraph."""
        return build_block([piece for piece in self.pieces if isinstance(piece, Aside)])

    def build_boilerplate(self) -> Block:
        """Return the whole paragraph as one block of boilerplate (text that is not speech).

        Running heads and page numbers come first, then the paragraph's words.
        """
        before = [piece for piece in self.pieces if isinstance(piece, Aside)]
        return build_block([*before, Aside("boilerplate", self.join_text())])


class PdfSpacing(NamedTuple):
    """Hold the spacing of a document: the usual distance between its base lines, in points (`pitch`).

    `indents` is true if its paragraphs begin with an indent.
    """

    pitch: float
    indents: bool


def build_paragraphs(pages: Sequence[PdfPage]) -> list[PdfParagraph]:
    """Build the paragraphs of all pages, in order.

    A paragraph may continue in the next column or on the next page.
    """
    columns = [list(_split_columns(page.body)) for page in pages]
    placed = _place_lines([column for page in columns for column in page])
    setting = _measure_setting(placed)
    paragraphs: list[PdfParagraph] = []
    aside: list[Piece] = []
    lines = iter(placed)
    for page in pages:
        aside += _build_asides(page.head)
        for line in islice(lines, len(page.body)):
            if not paragraphs or _is_new_paragraph(paragraphs[-1], line, setting):
                paragraphs.append(PdfParagraph())
            aside = _add(paragraphs[-1], line, aside)
        aside += _build_asides(page.foot)
    if paragraphs:
        paragraphs[-1].pieces += aside
    return paragraphs


def _build_asides(lines: Sequence[PdfLine]) -> list[Piece]:
    return [Aside("boilerplate", line.text) for line in lines]


def _split_columns(lines: Sequence[PdfLine]) -> Iterator[Sequence[PdfLine]]:
    """Split a page into columns; a line that is higher than the previous one begins a new column."""
    starts = [
        at for at, (before, line) in enumerate(pairwise(lines), 1) if line.base > before.base + line.size
    ]
    yield from (lines[start:stop] for start, stop in pairwise([0, *starts, len(lines)]) if start < stop)


def _place_lines(columns: Sequence[Sequence[PdfLine]]) -> list[PlacedLine]:
    """Assign to every line the edges of its column.

    Columns with the same left edge share the right edge of the widest.
    """
    edges = [Counter(round(line.left) for line in column).most_common(1)[0][0] for column in columns]
    widest: dict[int, float] = {}
    for left, column in zip(edges, columns, strict=True):
        widest[left] = max(widest.get(left, 0.0), *(line.right for line in column))
    return [
        PlacedLine(line, left, widest[left], before.base - line.base if before else None)
        for left, column in zip(edges, columns, strict=True)
        for before, line in pairwise([None, *column])
        if line
    ]


def _measure_setting(lines: Sequence[PlacedLine]) -> PdfSpacing:
    gaps = [line.gap for line in lines if line.gap is not None and line.gap > line.line.size / 2]
    indented = sum(line.measure_indent() > INDENT for line in lines)
    return PdfSpacing(median(gaps) if gaps else 0.0, indented > LEAST_INDENTED * len(lines))


def _is_new_paragraph(paragraph: PdfParagraph, line: PlacedLine, setting: PdfSpacing) -> bool:
    """Return whether a line begins a new paragraph, instead of continuing `paragraph`."""
    before = paragraph.lines[-1]
    larger, smaller = sorted((before.line.size, line.line.size), reverse=True)
    if larger > OTHER_SIZE * max(smaller, 1.0):
        return True
    if line.line.text.startswith(BULLETS) or may_begin_turn(before.line.text, line.line.text):
        return True
    if line.gap is None:
        begins = line.measure_indent() > INDENT or not setting.indents
        return before.is_short_end() or (before.is_sentence_end() and begins)
    if line.gap > GAP * setting.pitch or before.is_short_end():
        return True
    indent, indent_before = line.measure_indent(), before.measure_indent()
    begins = indent > INDENT >= indent_before and not before.line.text.startswith(BULLETS)
    hangs = indent_before - indent > INDENT and len(paragraph.lines) > 1
    return begins or hangs


def _add(paragraph: PdfParagraph, line: PlacedLine, aside: list[Piece]) -> list[Piece]:
    """Add a line to a paragraph, after the running heads and page numbers (`aside`) that precede the line.

    If the line before ends in a hyphen, `aside` is not added, because it would split a word. It is then
    returned, so that it can be added after a later line. Otherwise, return an empty list.
    """
    text, last = line.line.text, paragraph.lines[-1].line.text if paragraph.lines else ""
    divided = bool(DIVIDED.search(last))
    if not divided:
        paragraph.pieces += aside
    paragraph.pieces += [_choose_joint(last, text, divided), text] if last else [text]
    paragraph.lines.append(line)
    return aside if divided else []


def _choose_joint(last: str, text: str, divided: bool) -> str:
    """Return the text to insert between two lines of a paragraph, `last` and the next one, `text`.

    This is a space, unless `last` ends in a hyphen (`divided`). After a hyphen, it is a line end if a word
    may be divided there, as in "govern-" and "ment"; otherwise it is "", as in "1990-" and "95".
    """
    if not divided:
        return " "
    return "\n" if text[:1].islower() and last[-2].isalpha() else ""
