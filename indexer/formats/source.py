"""What a reader is handed, what it gives, and the one way a `Document` is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.blocks import Block
from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import normalised
from indexer.cleaning_marks import clean
from indexer.encodings import decode
from indexer.files import LARGEST_FILE_BYTES, LARGEST_TEXT_BYTES, whole
from indexer.language import language_of
from indexer.language_tags import language_alone
from indexer.metadata import Metadata
from indexer.wrapping import put_together
from rostrum_core.errors import TranscriptError
from rostrum_core.types import Document

NOTHING_KNOWN = Metadata()
# In characters: the longest speeches have two million, and text unfolds in memory.
LONGEST_SPEECH = 8 << 20


class Found(NamedTuple):
    """A document and the line of its file where it begins, from 1; `None` if it is the whole file."""

    document: Document
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A transcript to read: its bytes, what to call it in an error, and what is known from beside it.

    `id` is the id of its document, where the file holds one without an id. `sidecar` is believed before
    what the file says, `name` after it. `folders` are where files that belong to it may stand, its own first
    and up to the one that the run was given; there are none for standard input. `kind` is that of the file,
    and `boilerplate` the rules that tell what is no speech in it.
    """

    file: str
    stream: BinaryIO
    id: str
    sidecar: Metadata = NOTHING_KNOWN
    name: Metadata = NOTHING_KNOWN
    folders: tuple[Path, ...] = ()
    kind: str = ""
    boilerplate: Boilerplate = NO_RULES

    def bytes(self, limit_bytes: int = LARGEST_FILE_BYTES) -> bytes:
        """Everything in the stream.

        Raises:
            TranscriptError: there are more than `limit_bytes`.
        """
        return whole(self.stream, self.file, limit_bytes)

    def text(self) -> str:
        """The stream as normalised text.

        Raises:
            TranscriptError: it is too large, or no text.
        """
        return normalised(decode(self.bytes(LARGEST_TEXT_BYTES), self.file))


Refused = Callable[[TranscriptError], None]
# Yields what the source holds. Raises `TranscriptError` where nothing more of it can be read; what else can
# be read on goes without the piece that is handed to `refused`.
Reader = Callable[[Source, Refused], Iterator[Found]]


def document(
    source: Source,
    blocks: Sequence[str | Block],
    said: Metadata,
    *,
    id: str | None = None,
    supplied: bool,
    wrapped: bool = False,
    line: int | None = None,
) -> Found:
    """The document that `blocks` of text make, cleaned of its marks, in NFC.

    `said` is what the file itself says of it. `supplied`: the file marks these paragraphs itself, and
    they are kept as they are. `wrapped`: lines are broken by the width of a page, and are put together again.

    Raises:
        TranscriptError: there is no speech in it, or more than `LONGEST_SPEECH`.
    """
    known = source.sidecar.over(said).over(source.name)
    stripped = (block if isinstance(block, Block) else Block(normalised(block).strip()) for block in blocks)
    filled = _within_bounds([block for block in stripped if block.text], source.file, line)
    given = source.boilerplate.cut(filled, known, source.kind)
    cleaned = clean(put_together(given) if wrapped else given, known.speaker)
    if not cleaned.text:
        raise TranscriptError(source.file, "no speech in it", line=line)
    made = Document(
        id=id or source.id,
        title=known.title or id or source.id,
        text=cleaned.text,
        speaker=known.speaker,
        spoken_on=known.spoken_on,
        source=known.source,
        url=known.url,
        collection=known.collection,
        language=language_alone(known.language or "") or language_of(cleaned.text),
        marks=cleaned.marks,
        breaks=cleaned.breaks if supplied else None,
    )
    return Found(made, line)


def _within_bounds(blocks: list[Block], file: str, line: int | None) -> list[Block]:
    if sum(len(block.text) for block in blocks) > LONGEST_SPEECH:
        raise TranscriptError(file, f"a speech of more than {LONGEST_SPEECH} characters", line=line)
    return blocks
