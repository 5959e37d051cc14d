"""Define the input and the output of the readers of file formats, and build every `Document` in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.blocks import Block
from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import normalise
from indexer.cleaning_marks import clean
from indexer.dates import is_to_come
from indexer.encodings import decode
from indexer.files import LARGEST_FILE_BYTES, LARGEST_TEXT_BYTES, read_whole
from indexer.heads import NO_HEAD, DocumentHead, read_dateline, read_head, remove_head
from indexer.language import detect_language
from indexer.language_tags import shorten_tag
from indexer.metadata import NOT_RENAMED, Metadata
from indexer.titles import capitalise_title
from indexer.wrapping import join_lines
from rostrum_core.errors import PassedOver, ReadingRemark, TranscriptError
from rostrum_core.types import Document

NOTHING_KNOWN = Metadata()
# In characters: the longest speeches have two million, and decoded text takes more memory.
LONGEST_SPEECH = 8 << 20
HEAD_BLOCKS = 12


class LocatedDocument(NamedTuple):
    """Hold a document, and the number of the line at which it begins in its file, from 1.

    `line` is `None` if the document is the whole file.
    """

    document: Document
    line: int | None = None


Refused = Callable[[TranscriptError], None]


def _ignore(error: TranscriptError) -> None:
    """Do nothing with an error; this is the default for `Source.remark`."""


@dataclass(frozen=True, slots=True)
class Source:
    """Describe a transcript to read: its bytes, its name for errors, and metadata from outside the file.

    `file` is the file's name in errors, and `stream` its bytes. `id` is the id of the document if it is
    the only one in the file and has no id there. `sidecar` has the metadata of files next to the transcript,
    which override the transcript's own metadata. `name` has metadata from the file's name, for fields that
    nothing else supplies. `folders` are the folders to search for related files, from the file's own folder
    up to the folder passed to the run; for standard input there are none. `kind` is the kind of the file,
    such as "pdf". `boilerplate` has the rules that recognise text that is not speech. `remark` is called for
    metadata that is skipped. `fields` maps field names in the file, in lower case, to the usual names.
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

    def read_bytes(self, limit_bytes: int = LARGEST_FILE_BYTES) -> bytes:
        """Read everything in the stream.

        Raises:
            TranscriptError: there are more than `limit_bytes`.
        """
        return read_whole(self.stream, self.file, limit_bytes)

    def read_text(self) -> str:
        """Read the stream as normalised text.

        Raises:
            TranscriptError: the stream is too large, or not text.
        """
        return normalise(decode(self.read_bytes(LARGEST_TEXT_BYTES), self.file))


# Yield the documents of the source. Raise `TranscriptError` if nothing more can be read; otherwise pass the
# error to `refused` and continue without that piece.
Reader = Callable[[Source, Refused], Iterator[LocatedDocument]]


def build_document(
    source: Source,
    blocks: Sequence[str | Block],
    said: Metadata,
    *,
    id: str | None = None,
    supplied: bool,
    wrapped: bool = False,
    head: bool = False,
    line: int | None = None,
) -> LocatedDocument:
    """Build a document from `blocks` of text (paragraphs), which are cleaned and normalised to NFC.

    Cleaning removes speaker tags, stage directions and time codes from the text. `said` is the file's own
    metadata. If `supplied` is true, the file itself divides its text into these blocks, and the document
    keeps them as its paragraphs. If `wrapped` is true, lines broken by the page width are joined. If `head`
    is true, title and day are also sought in the first lines of the text. `line` is the line of the file at
    which the document begins.

    Raises:
        PassedOver: the text contains no speech.
        TranscriptError: the text has more than `LONGEST_SPEECH` characters.
    """
    stripped = (block if isinstance(block, Block) else Block(normalise(block).strip()) for block in blocks)
    filled = _check_length([block for block in stripped if block.text], source.file, line)
    top = read_head(filled[:HEAD_BLOCKS]) if head else NO_HEAD
    metadata = _merge_metadata(source, said, top, line)
    kept = remove_head(source.boilerplate.cut(filled, metadata, source.kind), top)
    cleaned = clean(join_lines(kept) if wrapped else kept, metadata.speaker)
    if not cleaned.text:
        raise PassedOver(source.file, "no speech in it", line=line)
    made = Document(
        id=id or source.id,
        title=capitalise_title(metadata.title) if metadata.title else id or source.id,
        text=cleaned.text,
        speaker=metadata.speaker,
        spoken_on=metadata.spoken_on,
        source=metadata.source,
        url=metadata.url,
        collection=metadata.collection,
        language=shorten_tag(metadata.language or "") or detect_language(cleaned.text),
        marks=cleaned.marks,
        breaks=cleaned.breaks if supplied else None,
    )
    return LocatedDocument(made, line)


def _merge_metadata(source: Source, said: Metadata, head: DocumentHead, line: int | None) -> Metadata:
    """Merge the metadata of a speech; each field comes from the first source that has it.

    The sources are the metadata files next to the transcript, the file itself (`said`), its first lines
    (`head`), and its name. A source's day is skipped if it is in the future, and its speaker if the name is
    a word such as "N/A".
    """
    collective = head.heading is not None and read_dateline(said.title or "") is not None
    titled = replace(said, title=head.heading) if collective else said
    above = Metadata(head.title, head.speaker, head.spoken_on)
    places = (source.sidecar, titled, above, source.name)
    dated = (_drop_future_day(source, place, line) for place in places)
    return reduce(Metadata.fill_from, map(Metadata.drop_nobody, dated))


def _drop_future_day(source: Source, place: Metadata, line: int | None) -> Metadata:
    if place.spoken_on is None or not is_to_come(place.spoken_on):
        return place
    source.remark(ReadingRemark(source.file, f"the day {place.spoken_on!r} is to come: left out", line=line))
    return replace(place, spoken_on=None)


def _check_length(blocks: list[Block], file: str, line: int | None) -> list[Block]:
    if sum(len(block.text) for block in blocks) > LONGEST_SPEECH:
        raise TranscriptError(file, f"a speech of more than {LONGEST_SPEECH} characters", line=line)
    return blocks
