"""Read Rich Text Format (`.rtf`) with striprtf; each paragraph of the file becomes a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from striprtf.striprtf import rtf_to_text

from indexer.characters import normalise_line
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.source import Found, Refused, Source, document
from indexer.metadata import LONGEST_VALUE, Metadata, is_of_a_program
from rostrum_core.errors import TranscriptError

BEGINNING = re.compile(rb"\s*\{\\rtf")
TITLE = re.compile(r"\{\\info\b.{0,2000}?\{\\title\s([^{}]{1,2000})\}", re.DOTALL)


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Read the one speech of the file.

    Raises:
        TranscriptError: the file is not RTF, or is too large.
    """
    data = source.bytes(LARGEST_TEXT_BYTES)
    if not BEGINNING.match(data):
        raise TranscriptError(source.file, "no RTF: it does not begin with {\\rtf")
    yield speech(source, data)


def speech(source: Source, data: bytes) -> Found:
    """Return the document that the bytes of an RTF file contain.

    Raises:
        TranscriptError: they cannot be read, or contain no speech.
    """
    markup = data.decode("latin-1")
    try:
        text, found = rtf_to_text(markup, errors="replace"), TITLE.search(markup)
        title = normalise_line(rtf_to_text(f"{{\\rtf1 {found[1]}}}", errors="replace")) if found else ""
    except (ValueError, LookupError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise TranscriptError(source.file, f"no RTF that can be read: {error}") from error
    known = title if 0 < len(title) <= LONGEST_VALUE and not is_of_a_program(title) else None
    return document(source, text.split("\n"), Metadata(title=known), supplied=False, head=True)
