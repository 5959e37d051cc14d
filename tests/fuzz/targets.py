"""What is fuzzed: each reader with the shipped rules, and the splitter behind it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

from archive.shipped_files import locate_shipped
from indexer.boilerplate import Boilerplate
from indexer.formats import FORMATS, Source, pdf
from indexer.formats.docx import BODY
from indexer.formats.source import LocatedDocument
from indexer.rules import read_rules
from rostrum_core.errors import TranscriptError
from tests.fuzz.seeds import unpacked
from tests.indexer.test_any_file import hold

RULES = Boilerplate(read_rules([locate_shipped("rules/boilerplate.toml")]))

Target = Callable[[bytes], Iterator[LocatedDocument]]


def one_input(data: bytes) -> None:
    """Reads an input as its first byte says.

    Raises:
        AssertionError: a document does not hold what holds of every document.
    """
    target = list(TARGETS.values())[data[0] % len(TARGETS)] if data else None
    try:
        for found in target(data[1:]) if target else ():
            hold(found.document)
    except TranscriptError:
        return


def _source(data: bytes, kind: str) -> Source:
    return Source(f"a.{kind}", io.BytesIO(data), "a", kind=kind, boilerplate=RULES)


def _body(data: bytes) -> Iterator[LocatedDocument]:
    """A Word document with this body: of a packed one nearly every change is refused at its checksum."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        package.writestr(BODY, data)
    return READERS["docx"](_source(held.getvalue(), "docx"), _refused)


def _lines(data: bytes) -> Iterator[LocatedDocument]:
    """A PDF from which these lines were read: PDFium is no code of ours, and has a process of its own."""
    yield pdf.build_speech(_source(b"", "pdf"), unpacked(data.decode("utf-8", "replace")))


def _refused(error: TranscriptError) -> None:
    if not isinstance(error, TranscriptError):
        raise TypeError(f"refused with {error!r}")


READERS = {known.kind: known.read for known in FORMATS}


def _read(kind: str, data: bytes) -> Iterator[LocatedDocument]:
    return READERS[kind](_source(data, kind), _refused)


TARGETS: dict[str, Target] = {
    **{kind: partial(_read, kind) for kind in READERS if kind != "pdf"},
    "docx-body": _body,
    "pdf-lines": _lines,
}
