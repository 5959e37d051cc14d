"""Read the PDF on standard input and write its lines as JSON: a separate program, run by `pdf_pages`.

PDFium is native code, and a file may make it crash, hang or exhaust memory. Here this ends only one process,
which has limits for time and memory. The program imports nothing of Rostrum: that would triple its start-up
time.
"""

from __future__ import annotations

import ctypes
import json
import resource
import sys
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

MEMORY_BYTES = 1 << 30
CPU_S = 60
MOST_PAGES = 10_000
MOST_CHARACTERS = 4_000_000
HYPHEN = 2  # PDFium's code for the hyphen of a word that continues on the next line
LINE_END = 10
INFORMATION = ("Title",)

WHITE = 250  # of each colour channel (255 at most), from which on letters are invisible on paper
INVISIBLE = 3  # the mode in which a program prints recognised letters under their picture
Line = tuple[str, float, float, float, float, str]


def main() -> None:
    """Read a PDF from standard input, and write `{pages, information}` as JSON; if that fails, `{error}`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer: dict[str, Any] = _read_document(sys.stdin.buffer.read())
    except pypdfium2.PdfiumError as error:
        answer = {"error": _explain_error(error)}
    except (ValueError, MemoryError) as error:
        answer = {"error": str(error) or "takes too much memory"}
    json.dump(answer, sys.stdout)


def _read_document(data: bytes) -> dict[str, Any]:
    opened = pypdfium2.PdfDocument(data)
    if len(opened) > MOST_PAGES:
        raise ValueError(f"{len(opened)} pages, more than {MOST_PAGES}")
    left = MOST_CHARACTERS
    pages = []
    for number in range(len(opened)):
        page = opened[number]
        text = page.get_textpage()
        left -= text.count_chars()
        if left < 0:
            raise ValueError(f"more than {MOST_CHARACTERS} characters")
        pages.append(list(_split_lines(text, page.get_cropbox())))
        text.close()
        page.close()
    return {"pages": pages, "information": {key: opened.get_metadata_value(key) for key in INFORMATION}}


def _split_lines(text: pypdfium2.PdfTextPage, area: tuple[float, float, float, float]) -> Iterator[Line]:
    """Yield each line of a page: its text, left, right, base line, type size, and why it is not visible.

    Positions are in points from the page's lower left; `area` is the visible part of the page. The reason why
    a line is not visible is "off" (outside the page), "white" or "invisible", or empty if the line is
    visible.
    """
    start, letters = 0, list[str]()
    count = text.count_chars()
    for at in range(count):
        code = pdfium.FPDFText_GetUnicode(text, at)
        if code in (HYPHEN, LINE_END):
            yield from _measure_line(text, area, start, letters, hyphen="-" if code == HYPHEN else "")
            start, letters = at + 1, []
        else:
            letters.append(chr(code) if code < sys.maxunicode else "\ufffd")
    yield from _measure_line(text, area, start, letters)


def _measure_line(
    text: pypdfium2.PdfTextPage,
    area: tuple[float, float, float, float],
    start: int,
    letters: list[str],
    hyphen: str = "",
) -> Iterator[Line]:
    """Yield the text and the position of one line of a page, unless all its characters are blank.

    `letters` are the characters of the line, and `start` is the number of the first one on the page. `area`
    is the visible part of the page.
    """
    said = "".join(letters)
    boxes = [text.get_rect(number) for number in range(text.count_rects(start, len(letters)))]
    if not said.strip() or not boxes:
        return
    # Measure the line at its middle: the first letter may be an initial or a raised figure.
    middle = len(said) // 2
    middle = next((at for at in range(middle, len(said)) if not said[at].isspace()), middle)
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, start + middle, x, y)
    size = pdfium.FPDFText_GetFontSize(text, start + middle)
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    is_off = right < area[0] or left > area[2] or not area[1] <= y.value <= area[3]
    unseen = "off" if is_off else _explain_unseen(text, start + middle)
    yield said.strip() + hyphen, left, right, y.value, size, unseen


def _explain_unseen(text: pypdfium2.PdfTextPage, at: int) -> str:
    """Return why a character of a page is not visible, "white" or "invisible"; return "" if it is visible."""
    colours = [ctypes.c_uint() for _ in range(4)]
    shown = pdfium.FPDFText_GetFillColor(text, at, *colours)
    if pdfium.FPDFTextObj_GetTextRenderMode(pdfium.FPDFText_GetTextObject(text, at)) == INVISIBLE:
        return "invisible"
    return "white" if shown and all(colour.value >= WHITE for colour in colours[:3]) else ""


def _explain_error(error: pypdfium2.PdfiumError) -> str:
    if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
        return "encrypted: it opens with a password only"
    return f"no whole PDF: {error}"


if __name__ == "__main__":
    main()
