"""Split a sitting of a parliament into documents, one for each speech.

The notes between speeches become marks, which hold text that is not speech.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from indexer.blocks import Aside, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import LONGEST_VALUE, Metadata
from rostrum_core.errors import TranscriptError

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Speech:
    """Hold consecutive words of one person as paragraphs, with their metadata (`said`).

    `name` is the id that the file gives to the speech, or `None`. `line` is where the speech begins in the
    file, from 1.
    """

    name: str | None
    line: int | None
    paragraphs: list[list[Piece]]
    said: Metadata


def build_documents(
    source: Source, debate: Iterable[Speech | Aside], refused: Refused
) -> Iterator[LocatedDocument]:
    """Yield a document for each speech of a debate, in order, with the asides before the speech.

    Asides are text that is not speech, such as notes. Asides after the last speech belong to the last speech.
    A speech without words gives no document: its asides are moved to the next speech, without the speaker
    tags. A document's id consists of the file's id and the name or number of the speech.

    Raises:
        TranscriptError: the debate breaks off; the earlier speeches have been yielded.
    """
    waiting: list[Aside] = []
    pending: tuple[int, Speech, list[list[Piece]]] | None = None
    number = 0
    try:
        for part in debate:
            if isinstance(part, Aside):
                waiting.append(part)
                continue
            number += 1
            if not _has_words(part):
                waiting = _drop_speaker_tags([*waiting, *_list_asides(part)])
                continue
            if pending:
                yield from _build_document(source, *pending, refused)
            pending = (number, part, [[*waiting], *part.paragraphs])
            waiting = []
    except TranscriptError:
        if pending:
            yield from _build_document(source, *pending, refused)
        raise
    if pending:
        number, last, paragraphs = pending
        yield from _build_document(source, number, last, [*paragraphs, [*waiting]], refused)


def compose_title(heading: str | None, sitting: str | None) -> str | None:
    """Return the title of a speech, made of the debate's subject and the sitting.

    >>> compose_title("Schools", "Sitting of 5 May"), compose_title(None, "Sitting of 5 May")
    ('Schools (Sitting of 5 May)', 'Sitting of 5 May')
    """
    if not heading or not sitting or heading in sitting:
        return sitting or heading
    title = f"{heading} ({sitting})"
    return title if len(title) <= LONGEST_VALUE else heading


def _list_asides(speech: Speech) -> Iterator[Aside]:
    return (piece for pieces in speech.paragraphs for piece in pieces if isinstance(piece, Aside))


def _drop_speaker_tags(asides: Iterable[Aside]) -> list[Aside]:
    return [aside for aside in asides if aside.kind != "speaker"]


def _has_words(speech: Speech) -> bool:
    return any(
        isinstance(piece, str) and normalise_line(piece) for pieces in speech.paragraphs for piece in pieces
    )


def _build_document(
    source: Source, number: int, speech: Speech, paragraphs: list[list[Piece]], refused: Refused
) -> Iterator[LocatedDocument]:
    name = normalise_line(speech.name or "").removeprefix(f"{source.id.rpartition('/')[2]}.")
    id = f"{source.id}/{name if 0 < len(name) <= LONGEST_NAME else number}"
    blocks = [build_block(pieces) for pieces in paragraphs]
    try:
        yield build_document(source, blocks, speech.said, id=id, supplied=True, line=speech.line)
    except TranscriptError as error:
        refused(error)
