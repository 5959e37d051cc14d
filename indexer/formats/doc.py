"""Read files saved by Word (`.doc`, `.docx`), whatever their format.

Word 97 files are converted with LibreOffice or antiword, if one of them is installed.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.encodings import decode
from indexer.formats import docx, html, rtf
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.zip_parts import OLE
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError

WORD = "WordDocument".encode("utf-16-le")  # the stream of an OLE file that holds a document of Word
PAGE = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)
CONVERT_TIMEOUT_S = 120
WAY_OUT = (
    "a document of Word 97: it needs LibreOffice (the program soffice) or antiword, and neither is installed;"
    " install one of them, or save it as .docx"
)


def is_word_97(data: bytes) -> bool:
    """Return whether bytes are a Word 97 document: a container (OLE) with the stream "WordDocument"."""
    return data.startswith(OLE) and WORD in data


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of a file that Word saved as RTF, HTML, Word 97 or DOCX, whatever its suffix.

    Raises:
        TranscriptError: the file is not a Word document, is encrypted or damaged, or no converter is
            installed.
    """
    data = source.read_bytes()
    same = replace(source, stream=io.BytesIO(data))
    if rtf.BEGINNING.match(data):
        yield rtf.build_speech(source, data)
    elif PAGE.match(data):
        yield from html.read(same, refused)
    elif is_word_97(data):
        yield from read_word_97(source, data, refused)
    else:
        yield from docx.read(same, refused)


def read_word_97(source: Source, data: bytes, refused: Refused) -> Iterator[LocatedDocument]:
    """Convert a Word 97 document with LibreOffice or antiword, and read its speech.

    Raises:
        TranscriptError: the document cannot be converted, or no converter is installed.
    """
    if (office := shutil.which("soffice")) is not None:
        made = _convert(source, data, office)
        yield from docx.read(replace(source, stream=io.BytesIO(made)), refused)
    elif (antiword := shutil.which("antiword")) is not None:
        text = decode(_run(source, data, [antiword, "-m", "UTF-8.txt", "-w", "0"]), source.file)
        yield build_document(source, text.split("\n"), Metadata(), supplied=False, head=True)
    else:
        raise TranscriptError(source.file, WAY_OUT)


def _convert(source: Source, data: bytes, office: str) -> bytes:
    """Convert a Word 97 document to DOCX with LibreOffice, and return the bytes of the DOCX file.

    LibreOffice runs with its settings in a temporary folder, which is deleted afterwards.
    """
    with TemporaryDirectory(prefix="rostrum-") as name:
        folder = Path(name)
        (folder / "speech.doc").write_bytes(data)
        settings = f"-env:UserInstallation={(folder / 'settings').as_uri()}"
        command = [office, settings, "--headless", "--convert-to", "docx", "--outdir", name]
        _call(source, [*command, str(folder / "speech.doc")])
        made = folder / "speech.docx"
        if not made.is_file():
            raise TranscriptError(source.file, "LibreOffice cannot convert it")
        return made.read_bytes()


def _run(source: Source, data: bytes, command: list[str]) -> bytes:
    with TemporaryDirectory(prefix="rostrum-") as name:
        path = Path(name) / "speech.doc"
        path.write_bytes(data)
        return _call(source, [*command, str(path)])


def _call(source: Source, command: list[str]) -> bytes:
    """Run a converter program and return its standard output.

    Raises:
        TranscriptError: the program fails or takes too long.
    """
    program = Path(command[0]).name
    try:
        done = subprocess.run(command, capture_output=True, timeout=CONVERT_TIMEOUT_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TranscriptError(source.file, f"{program} cannot convert it: {error}") from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:200]
        raise TranscriptError(source.file, f"{program} cannot convert it: {reason or done.returncode}")
    return done.stdout
