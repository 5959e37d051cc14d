"""Separate line numbers on the pages of a PDF, as courts print them: 1 to 25 down the left edge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.formats.pdf_pages import PdfLine
from indexer.page_layout import NUMBER, find_line_numbers

ALONE = re.compile(r"\d{1,2}")


def split_numbers(page: Sequence[PdfLine]) -> tuple[list[PdfLine], list[PdfLine]]:
    """Return (numbers, others): the line numbers of a page as one line, and the page's lines without them.

    `numbers` is empty if there are no line numbers. A line number is either a line of its own in the file, or
    the first word of a line of text.
    """
    alone = sorted((line for line in page if ALONE.fullmatch(line.text)), key=lambda line: -line.base)
    if column := [alone[at] for at in find_line_numbers([line.text for line in alone])]:
        dropped = set(map(id, column))
        return [_join(column)], [line for line in page if id(line) not in dropped]
    inline = [page[at] for at in find_line_numbers([line.text for line in page])]
    if not inline:
        return [], list(page)
    numbered = set(map(id, inline))
    bare = (_strip_number(line) if id(line) in numbered else line for line in page)
    return [_join(inline)], [line for line in bare if line.text]


def _join(lines: Sequence[PdfLine]) -> PdfLine:
    return lines[0]._replace(text=" ".join(line.text.split()[0] for line in lines))


def _strip_number(line: PdfLine) -> PdfLine:
    match = NUMBER.match(line.text)
    return line._replace(text=line.text[match.end() :].strip()) if match else line
