"""What a reader is handed, what it gives, and the one way a `Document` is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.blocks import Block
from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import normalised
from indexer.cleaning_marks import clean
from indexer.dates import is_to_come
from indexer.encodings import decode
from indexer.files import LARGEST_FILE_BYTES, LARGEST_TEXT_BYTES, whole
from indexer.heads import NO_HEAD, Head, dateline, read_head, without_head
from indexer.language import language_of
from indexer.language_tags import language_alone
from indexer.metadata import NOT_RENAMED, Metadata
from indexer.titles import printed_title
from indexer.wrapping import put_together
from rostrum_core.errors import PassedOver, ReadingRemark, TranscriptError
from rostrum_core.types import Document

NOTHING_KNOWN = Metadata()
# In characters: the longest speeches have two million, and text unfolds in memory.
LONGEST_SPEECH = 8 << 20
HEAD_BLOCKS = 12


class Found(NamedTuple):
    """A document and the line of its file where it begins, from 1; `None` if it is the whole file."""

    document: Document
    line: int | None = None


Refused = Callable[[TranscriptError], None]


def _ignore(error: TranscriptError) -> None:
    """Do nothing with a remark."""


@dataclass(frozen=True, slots=True)
class Source:
    """A transcript to read: its bytes, what to call it in an error, and what is known from beside it.

    `id` is the id of its document, where the file holds one without an id. `sidecar` is believed before
    what the file says, `name` after it. `folders` are where files that belong to it may stand, its own first
    and up to the one that the run was given; there are none for standard input. `kind` is that of the file,
    and `boilerplate` the rules that tell what is no speech in it. `remark` is called with what is left out
    of what the file says, though its speech is read. `fields` has the name that is read by the name that rows
    and heads of the file have, in small letters.
    """

    file: str
    stream: BinaryIO
    id: str
    sidecar: Metadata = NOTHING_KNOWN
    name: Metadata = NOTHING_KNOWN
    folders: tuple[Path, ...] = ()
    kind: str = ""
    boilerplate: Boilerplate = NO_RULES
    remark: Refused = _ignore
    fields: Mapping[str, str] = field(default_factory=lambda: NOT_RENAMED)

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
    head: bool = False,
    line: int | None = None,
) -> Found:
    """The document that `blocks` of text make, cleaned of its marks, in NFC.

    `said` is what the file itself says of it. `supplied`: the file marks these paragraphs itself, and
    they are kept as they are. `wrapped`: lines are broken by the width of a page, and are put together again.
    `head`: the text may begin with lines that say what it is and when it was held.

    Raises:
        PassedOver: there is no speech in it.
        TranscriptError: there is more than `LONGEST_SPEECH`.
    """
    stripped = (block if isinstance(block, Block) else Block(normalised(block).strip()) for block in blocks)
    filled = _within_bounds([block for block in stripped if block.text], source.file, line)
    top = read_head(filled[:HEAD_BLOCKS]) if head else NO_HEAD
    known = _known(source, said, top, line)
    given = without_head(source.boilerplate.cut(filled, known, source.kind), top)
    cleaned = clean(put_together(given) if wrapped else given, known.speaker)
    if not cleaned.text:
        raise PassedOver(source.file, "no speech in it", line=line)
    made = Document(
        id=id or source.id,
        title=printed_title(known.title) if known.title else id or source.id,
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


def _known(source: Source, said: Metadata, head: Head, line: int | None) -> Metadata:
    """Return what is known of a speech. A day that has not come is doubted, and the next place believed."""
    collective = head.heading is not None and dateline(said.title or "") is not None
    titled = replace(said, title=head.heading) if collective else said
    above = Metadata(head.title, head.speaker, head.spoken_on)
    places = (source.sidecar, titled, above, source.name)
    return reduce(Metadata.over, (_doubted(source, place, line) for place in places))


def _doubted(source: Source, place: Metadata, line: int | None) -> Metadata:
    if place.spoken_on is None or not is_to_come(place.spoken_on):
        return place
    source.remark(ReadingRemark(source.file, f"the day {place.spoken_on!r} is to come: left out", line=line))
    return replace(place, spoken_on=None)


def _within_bounds(blocks: list[Block], file: str, line: int | None) -> list[Block]:
    if sum(len(block.text) for block in blocks) > LONGEST_SPEECH:
        raise TranscriptError(file, f"a speech of more than {LONGEST_SPEECH} characters", line=line)
    return blocks
