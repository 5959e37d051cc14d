"""Tables in text (`.csv`, `.tsv`): a speech a row, or a paragraph a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

from indexer.blocks import Aside, Block, Piece, block
from indexer.characters import one_line
from indexer.files import LARGEST_FILE_BYTES
from indexer.formats.jsonl import id_of, remark_on
from indexer.formats.source import NOTHING_KNOWN, Found, Refused, Source, document
from indexer.formats.text import paragraphs
from indexer.metadata import NAMES, Metadata, doubts, from_mapping
from indexer.tables import Row, Table
from rostrum_core.errors import TranscriptError
from rostrum_core.identifiers import text_hash

# What the columns are called that hold the text, and that say to which speech a paragraph belongs; the first
# that is there counts.
TEXT = ("text", "speech", "paragraph")
DOCUMENT = ("document", "document_id", "text_id", "debate_id")
KNOWN = {"id", *TEXT, *DOCUMENT, *(name for names in NAMES.values() for name in names)}
ID_DIGITS = 12  # of the text's hash


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Every speech of the table, in order; a bad row is refused by its line and the next one read.

    A column of `DOCUMENT`, or one called "paragraph", says that each row is a paragraph: rows of one document
    that follow each other are a speech. Otherwise each row is one.

    Raises:
        TranscriptError: the file is no text, or has no column of `TEXT`.
    """
    table = Table(source.stream, source.file, KNOWN)
    text, owner = _first(TEXT, table.columns), _first(DOCUMENT, table.columns)
    if text is None:
        found = ", ".join(table.columns)[:200] or "none"
        raise TranscriptError(source.file, f"expected a column {' or '.join(TEXT)}, found {found}", line=1)
    for doubt in doubts(_read_as_metadata(table.columns), source.file, line=1):
        refused(doubt)
    unnamed = replace(source, name=NOTHING_KNOWN)  # a file of many speeches names none of them
    if owner is None and "paragraph" not in table.columns:
        for row in table.rows(refused):
            yield from _speech(unnamed, row, text, refused)
        return
    named = _named(source, table.rows(refused), owner, refused)
    for name, rows in groupby(named, itemgetter(0)):
        yield from _gathered(unnamed, name, (row for _, row in rows), text, refused)


def _read_as_metadata(columns: Sequence[str]) -> list[str]:
    """The columns that say nothing of their own: neither id nor text."""
    return [name for name in columns if name not in {"id", *TEXT, *DOCUMENT}]


def _first(names: Sequence[str], columns: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)


def _speech(source: Source, row: Row, text: str, refused: Refused) -> Iterator[Found]:
    said = row.values[text]
    with _refusing(source, row.line, refused):
        id = id_of(row.values) if "id" in row.values else f"{source.id}-{text_hash(said)[:ID_DIGITS]}"
        about = from_mapping(row.values, partial(remark_on, refused, source.file, row.line))
        texts = paragraphs(said)
        yield document(source, texts, about, id=id, supplied=False, wrapped=True, head=True, line=row.line)


def _named(
    source: Source, rows: Iterable[Row], owner: str | None, refused: Refused
) -> Iterator[tuple[str, Row]]:
    """Each row after the id of its speech; one without is refused."""
    for row in rows:
        id = ""
        with _refusing(source, row.line, refused):
            id = id_of({"id": _name(source, row, owner)})
        if id:
            yield id, row


def _name(source: Source, row: Row, owner: str | None) -> str:
    """What the speech of a row is called by: its document, else its id, else its date and title."""
    if owner or "id" in row.values:
        return row.values[owner or "id"].strip()
    dated = [row.values.get(name, "") for name in (*NAMES["spoken_on"], *NAMES["title"])]
    called = one_line(" ".join(dated))
    return f"{source.id}/{called}" if called else ""


def _gathered(source: Source, id: str, rows: Iterator[Row], text: str, refused: Refused) -> Iterator[Found]:
    """The speech that rows of a paragraph each make; what is known of it is what the first of them says."""
    first = next(rows)
    with _refusing(source, first.line, refused):
        said = list(_said(source, chain([first], rows), text, refused))
        if said:
            blocks, speaker = _blocks(said)
            about = replace(said[0][0], speaker=speaker)
            yield document(source, blocks, about, id=id, supplied=True, line=first.line)


def _said(source: Source, rows: Iterable[Row], text: str, refused: Refused) -> Iterator[tuple[Metadata, str]]:
    """What each row says of its paragraph, and the paragraph.

    Raises:
        ValueError: together they are too long for a speech.
    """
    size_chars = 0
    for row in rows:
        size_chars += len(row.values[text])
        if size_chars > LARGEST_FILE_BYTES:
            raise ValueError(f"a speech of more than {LARGEST_FILE_BYTES} characters")
        with _refusing(source, row.line, refused):
            yield (
                from_mapping(row.values, partial(remark_on, refused, source.file, row.line)),
                row.values[text],
            )


@contextmanager
def _refusing(source: Source, line: int, refused: Refused) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        refused(TranscriptError(source.file, str(error), line=line))
    except TranscriptError as error:
        refused(error)


def _blocks(said: Sequence[tuple[Metadata, str]]) -> tuple[list[Block], str | None]:
    """The paragraphs, with a tag where the floor changes hands; or without, and who holds it throughout."""
    speakers = {about.speaker for about, _ in said if about.speaker}
    if len(speakers) < 2:
        return [block([text]) for _, text in said], next(iter(speakers), None)
    floor, made = None, list[Block]()
    for about, text in said:
        tag: list[Piece] = [Aside("speaker", about.speaker)] if about.speaker not in (None, floor) else []
        floor = about.speaker or floor
        made.append(block([*tag, text]))
    return made, None
