"""Read Rich Text Format (`.rtf`) with striprtf; each paragraph of the file becomes a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from striprtf.striprtf import rtf_to_text

from indexer.blocks import Block
from indexer.characters import normalise, normalise_line
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.docx import TAG_ENDS
from indexer.formats.rtf_markup import BOLD_END, BOLD_START, mark_bold
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import LONGEST_VALUE, Metadata, is_of_a_program
from indexer.name_lines import StyledBlock, mark_names
from rostrum_core.errors import TranscriptError

BEGINNING = re.compile(rb"\s*\{\\rtf")
BOLD_LEAD = re.compile(rf"\s*{BOLD_START}([^{BOLD_END}]*)")
MARKS_OF_BOLD = re.compile(f"[{BOLD_START}{BOLD_END}]")
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
        text, match = rtf_to_text(mark_bold(markup), errors="replace"), TITLE.search(markup)
        declared = normalise_line(rtf_to_text(f"{{\\rtf1 {match[1]}}}", errors="replace")) if match else ""
    except (ValueError, LookupError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise TranscriptError(source.file, f"no RTF that can be read: {error}") from error
    title = declared if 0 < len(declared) <= LONGEST_VALUE and not is_of_a_program(declared) else None
    blocks = mark_names([_build_line(line) for line in text.split("\n")])
    return build_document(source, blocks, Metadata(title=title), supplied=False, head=True)


def _build_line(marked: str) -> StyledBlock:
    """Return a line with the length of its lead, the beginning that is marked as bold, without the marks."""
    bold = BOLD_LEAD.match(marked.replace(BOLD_END + BOLD_START, ""))
    text = normalise(MARKS_OF_BOLD.sub("", marked)).strip()
    lead = normalise(bold[1]).strip() if bold else ""
    is_lead = lead and text.startswith(lead) and not TAG_ENDS.match(text, len(lead))
    return StyledBlock(Block(text), "bold", len(lead)) if is_lead else StyledBlock(Block(text))
