"""What a fuzz run starts from: the real-shaped files of the readers' tests, for each target."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from indexer.formats import find_format
from indexer.formats.pdf_pages import PdfLine, PdfLines, read_print

TESTS = Path(__file__).parents[1] / "indexer"
SAMPLE_ROWS = 3
SEED_BYTES = 2000  # short ones run often
PARTS = ("_rels/.rels", "docProps/core.xml", "word/document.xml")


def seeds() -> Iterator[tuple[str, bytes]]:
    """The target of each seed, and its bytes."""
    formats, xml = _of("test_formats"), _of("test_hostile_xml")
    yield "text", formats["TEXT"].encode()
    yield "markdown", formats["MARKDOWN"].encode()
    yield "html", formats["HTML"].encode()
    yield from (("jsonl", row.encode("utf-8", "surrogatepass")[:SEED_BYTES]) for row in formats["ROWS"])
    with formats["SAMPLE"].open("rb") as stream:
        yield from (("jsonl", next(stream)[:SEED_BYTES]) for _ in range(SAMPLE_ROWS))
    for example in _of("formats_page")["EXAMPLES"]:
        if known := find_format(Path(example.name)):
            yield known.kind, example.content
    sitting = _of("test_parlamint")
    yield from (("xml", text.encode()) for text in (sitting["sitting"](), sitting["PEOPLE"]))
    yield "xml", _of("test_akoma_ntoso")["DEBATE"].encode()
    yield "xml", xml["declaring"]('<!ENTITY e "so">').encode()
    yield from _captions()
    word = _of("test_docx")
    yield "docx", _without_pictures(word["saved"](word["speech"]()))
    yield "docx-body", word["speech"]().element.xml.encode()
    pdf = _of("test_pdf")
    for style, columns in ((pdf["SPACED"], 1), (pdf["INDENTED"], 2)):
        yield "pdf-lines", packed(read_print(pdf["document"](style, columns, count=4), "seed"))


def packed(found: PdfLines) -> bytes:
    """Printed pages as text: pages parted by form feeds, four characters for the places before each line."""
    return "\f".join("\n".join(_packed(line) for line in page) for page in found.pages).encode()


def unpacked(text: str) -> PdfLines:
    """Printed pages from text, whatever it is."""
    pages = (page.split("\n") for page in text.split("\f"))
    return PdfLines(tuple(tuple(_line(line) for line in page if line[4:]) for page in pages), "")


def _packed(line: PdfLine) -> str:
    return "".join(chr(int(abs(place))) for place in line[1:5]) + line.text


def _line(packed: str) -> PdfLine:
    left, right, base, size = map(ord, packed[:4])
    return PdfLine(packed[4:], left, right, base, size)


def _captions() -> Iterator[tuple[str, bytes]]:
    for path in sorted((TESTS / "captions").iterdir()):
        kind = {".srt": "subrip", ".vtt": "webvtt", ".csv": "csv", ".tsv": "csv"}.get(path.suffix)
        if kind:
            yield kind, path.read_bytes()[:SEED_BYTES]


def _without_pictures(data: bytes) -> bytes:
    """A Word document with the parts alone that a reader looks at."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        for name in PARTS:
            new.writestr(name, old.read(name))
    return held.getvalue()


def _of(name: str) -> dict[str, Any]:
    return vars(import_module(f"tests.indexer.{name}"))
