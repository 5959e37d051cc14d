"""Read Rich Text Format (`.rtf`) with striprtf; each paragraph of the file becomes a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from striprtf.striprtf import rtf_to_text

from indexer.characters import normalise_line
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import LONGEST_VALUE, Metadata, is_of_a_program
from rostrum_core.errors import TranscriptError

BEGINNING = re.compile(rb"\s*\{\\rtf")
TITLE = re.compile(r"\{\\info\b.{0,2000}?\{\\title\s([^{}]{1,2000})\}", re.DOTALL)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of an RTF file.

    Raises:
        TranscriptError: the file is not RTF, or is too large.
    """
    data = source.read_bytes(LARGEST_TEXT_BYTES)
    if not BEGINNING.match(data):
        raise TranscriptError(source.file, "no RTF: it does not begin with {\\rtf")
    yield build_speech(source, data)


def build_speech(source: Source, data: bytes) -> LocatedDocument:
    """Build the document that the bytes of an RTF file contain.

    Raises:
        TranscriptError: the bytes cannot be read, or contain no speech.
    """
    markup = data.decode("latin-1")
    try:
        text, match = rtf_to_text(markup, errors="replace"), TITLE.search(markup)
        declared = normalise_line(rtf_to_text(f"{{\\rtf1 {match[1]}}}", errors="replace")) if match else ""
    except (ValueError, LookupError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise TranscriptError(source.file, f"no RTF that can be read: {error}") from error
    title = declared if 0 < len(declared) <= LONGEST_VALUE and not is_of_a_program(declared) else None
    return build_document(source, text.split("\n"), Metadata(title=title), supplied=False, head=True)
