"""Read PDFs with a text layer, and build paragraphs from their lines.

Running heads, running feet and page numbers become marks, which hold text that is not speech.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from indexer.blocks import Block
from indexer.characters import normalise_line
from indexer.formats.pdf_edges import split_edges
from indexer.formats.pdf_numbers import split_numbers
from indexer.formats.pdf_pages import PdfLine, PdfLines, read_print
from indexer.formats.pdf_paragraphs import PdfParagraph, build_paragraphs
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import LONGEST_VALUE, Metadata, is_of_a_program
from rostrum_core.errors import TranscriptError

# In type sizes of the text; and among how many paragraphs to look for a title.
TITLE_SIZE, TITLE_PARAGRAPHS = 1.15, 4
# Characters from a font without a mapping to letters: private use, and unassigned.
NO_LETTER = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
MOST_NO_LETTERS = 0.3


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of a PDF.

    Its title is the text in the largest type at the top, or else the title in the metadata. The file's author
    and its creation date are ignored: they do not describe the speech.

    Raises:
        TranscriptError: the file is not a readable PDF, is encrypted or too large, or has no text layer or
            no speech.
    """
    yield build_speech(source, read_print(source.read_bytes(), source.file))


def build_speech(source: Source, printed: PdfLines) -> LocatedDocument:
    """Build the document from the lines on the pages of a PDF.

    Raises:
        TranscriptError: the pages have no text, or no speech.
    """
    _refuse_pictures(printed, source.file)
    numbers, pages = zip(*map(split_numbers, _drop_unseen(printed.pages)), strict=True)
    parts = split_edges(pages)
    written = build_paragraphs(
        [page._replace(head=[*n, *page.head]) for n, page in zip(numbers, parts, strict=True)]
    )
    heading = _find_heading(written)
    title = heading.join_text()[:LONGEST_VALUE] if heading else _clean_title(printed.title)
    is_court = any(numbers)
    blocks = [
        _convert_paragraph(paragraph, is_title=paragraph is heading, is_court=is_court)
        for paragraph in written
    ]
    return build_document(source, blocks, Metadata(title=title), supplied=True, wrapped=True, head=True)


def _convert_paragraph(paragraph: PdfParagraph, *, is_title: bool, is_court: bool) -> Block:
    """Convert a paragraph of a PDF file to a block: its text, and the ranges that are not speech.

    The words of the title are left out. A heading in a court's transcript (`is_court`) becomes boilerplate as
    a whole, because it is not speech.
    """
    if is_title:
        return paragraph.build_asides()
    if is_court and paragraph.is_heading():
        return paragraph.build_boilerplate()
    return paragraph.build_block()


def _drop_unseen(pages: Sequence[Sequence[PdfLine]]) -> list[list[PdfLine]]:
    """Drop lines that a reader of the pages cannot see: off the page, white, or invisible.

    Invisible letters are kept if they are the majority, as in a scan. White letters are kept if they are the
    majority, as on a dark background.
    """
    sizes = Counter[str]()
    for line in (line for page in pages for line in page):
        sizes[line.unseen] += len(line.text)
    kept = {reason for reason in sizes if reason != "off" and 2 * sizes[reason] > sizes.total()} | {""}
    return [[line for line in page if line.unseen in kept] for page in pages]


def _refuse_pictures(printed: PdfLines, file: str) -> None:
    text = "".join(line.text for page in printed.pages for line in page)
    if not text:
        raise TranscriptError(
            file, f"no text layer: its {len(printed.pages)} pages are pictures, which need OCR first"
        )
    if len(NO_LETTER.findall(text)) > MOST_NO_LETTERS * len(text):
        raise TranscriptError(file, "its fonts do not tell which letters they print: it needs OCR first")


def _find_heading(written: Sequence[PdfParagraph]) -> PdfParagraph | None:
    """Return the paragraph with the largest type among the first few, which is the title of the document.

    Return `None` if its type is not larger than that of the text.
    """
    sizes: Counter[float] = Counter()
    for paragraph in written:
        sizes[paragraph.get_size()] += sum(len(placed.line.text) for placed in paragraph.lines)
    largest = max(written[:TITLE_PARAGRAPHS], key=PdfParagraph.get_size, default=None)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    return largest if largest and largest.get_size() > TITLE_SIZE * usual else None


def _clean_title(title: str) -> str | None:
    title = normalise_line(title)
    return title if 0 < len(title) <= LONGEST_VALUE and not is_of_a_program(title) else None
