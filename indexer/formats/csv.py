"""Read tables in text (`.csv`, `.tsv`) whose rows are speeches, or the paragraphs of speeches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

from indexer.blocks import Block
from indexer.characters import normalise_line
from indexer.files import LARGEST_FILE_BYTES
from indexer.formats.jsonl import read_id, report_skipped, strip_markup
from indexer.formats.source import NOTHING_KNOWN, LocatedDocument, Refused, Source, build_document
from indexer.formats.text import split_paragraphs
from indexer.formats.turn_rows import Turn, build_turn_blocks, parse_seconds
from indexer.metadata import NAMES, Metadata, find_doubts, read_mapping
from indexer.tables import Row, Table
from rostrum_core.errors import TranscriptError
from rostrum_core.identifiers import hash_text

# Names of the columns that hold the text, and of those that assign a paragraph to a speech; the first one
# present counts.
TEXT = ("text", "speech", "paragraph")
DOCUMENT = ("document", "document_id", "text_id", "debate_id")
ROW_IDS = ("id", "speech_id")  # in a table of paragraphs
KNOWN = {"start", "end", *ROW_IDS, *TEXT, *DOCUMENT, *(name for names in NAMES.values() for name in names)}
# Seconds or clock times of a recording.
START, END = ("start", "start_s", "start_time", "begin"), ("end", "end_s", "end_time", "stop")
ID_DIGITS = 12  # of the hash


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read every speech of a table, in order; report a bad row and its line to `refused`, and read on.

    There are three kinds of tables. If a table has a column that names the speech ("document", "debate_id"),
    or a column "paragraph", each row is a paragraph, and consecutive rows of the same speech are joined. If
    it has columns for speakers or times instead, but none for ids, dates or titles, all rows together are one
    speech. In any other table, each row is a speech.

    Raises:
        TranscriptError: the file is not text, or has no column "text", "speech" or "paragraph".
    """
    table = Table(source.stream, source.file, KNOWN, source.fields)
    text, owner = _pick_column(TEXT, table.columns), _pick_column(DOCUMENT, table.columns)
    if text is None:
        columns = ", ".join(table.columns)[:200] or "none"
        advice = "name the one that holds the text with --map text=NAME"
        reason = f"expected a column {' or '.join(TEXT)}, found {columns}; {advice}"
        raise TranscriptError(source.file, reason, line=1)
    for doubt in find_doubts(_read_as_metadata(table.columns), source.file, line=1):
        refused(doubt)
    if owner is None and _is_dialogue(table.columns):
        yield from _gather_speech(source, source.id, table.read_rows(refused), text, refused, line=None)
        return
    unnamed = replace(source, name=NOTHING_KNOWN)  # it describes none of many speeches
    if owner is None and "paragraph" not in table.columns:
        ids = _RowIds(source.id)
        for row in table.read_rows(refused):
            yield from _read_speech(unnamed, row, text, ids, refused)
        return
    named = _name_rows(source, table.read_rows(refused), owner, refused)
    for name, rows in groupby(named, itemgetter(0)):
        yield from _gather_speech(unnamed, name, (row for _, row in rows), text, refused)


def _is_dialogue(columns: Sequence[str]) -> bool:
    """Return whether the table is one speech with a row for each turn, judging by the names of the columns.

    A turn is what one speaker says at a time. Such a table has speakers or times, but no ids, dates, titles
    or paragraphs.
    """
    named = {"id", *NAMES["title"], *NAMES["spoken_on"], "paragraph"}
    return named.isdisjoint(columns) and not {*NAMES["speaker"], *START}.isdisjoint(columns)


def _read_as_metadata(columns: Sequence[str]) -> list[str]:
    """Return the names of the columns that hold metadata: neither an id nor a text."""
    return [name for name in columns if name not in {*ROW_IDS, *TEXT, *DOCUMENT}]


def _pick_column(names: Sequence[str], columns: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)


class _RowIds:
    """Make ids for the rows of a file without a column "id"; they stay the same when the file is read again.

    The ids are kept in a temporary database, so that memory does not grow with their number.
    """

    def __init__(self, file_id: str) -> None:
        self._file_id = file_id
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE ids (id TEXT PRIMARY KEY, about TEXT) WITHOUT ROWID")

    def make_id(self, row: Row, said: str, about: Metadata) -> str:
        """Return an id made from a row's text, `said`.

        If the metadata of an earlier row with this text differ in any field, make it from the whole row.
        """
        id = self._hash(said)
        key = hash_text(str(about))
        self._database.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", (id, key))
        (first,) = self._database.execute("SELECT about FROM ids WHERE id = ?", (id,)).fetchone()
        return id if first == key else self._hash(str(sorted(row.values.items())))

    def _hash(self, text: str) -> str:
        return f"{self._file_id}-{hash_text(text)[:ID_DIGITS]}"


def _read_speech(
    source: Source, row: Row, text: str, ids: _RowIds, refused: Refused
) -> Iterator[LocatedDocument]:
    said = strip_markup(row.values[text])
    with _refuse_errors(source, row.line, refused):
        id = read_id(row.values) if "id" in row.values else None
        about = read_mapping(row.values, partial(report_skipped, refused, source.file, row.line))
        id = id or ids.make_id(row, said, about)
        texts = split_paragraphs(said)
        yield build_document(
            source, texts, about, id=id, supplied=False, wrapped=True, head=True, line=row.line
        )


def _name_rows(
    source: Source, rows: Iterable[Row], owner: str | None, refused: Refused
) -> Iterator[tuple[str, Row]]:
    """Yield each row with the id of its speech, as (id, row); report a row without such an id to `refused`.

    `owner` is the column that names the speech, or `None`.
    """
    for row in rows:
        id = ""
        with _refuse_errors(source, row.line, refused):
            id = read_id({"id": _compose_name(source, row, owner)})
        if id:
            yield id, row


def _compose_name(source: Source, row: Row, owner: str | None) -> str:
    """Return the name of the speech to which a row belongs; "" if the row has none.

    This is the value in the column `owner`, or else the row's id ("id" or "speech_id"), or else the file's id
    with date and title.
    """
    if column := owner or _pick_column(ROW_IDS, list(row.values)):
        return row.values[column].strip()
    dated = [row.values.get(name, "") for name in (*NAMES["spoken_on"], *NAMES["title"])]
    called = normalise_line(" ".join(dated))
    return f"{source.id}/{called}" if called else ""


def _gather_speech(
    source: Source, id: str, rows: Iterator[Row], text: str, refused: Refused, *, line: int | None = 0
) -> Iterator[LocatedDocument]:
    """Yield one speech, whose paragraphs are the given rows of a table.

    The first row supplies the metadata and the document's line number. If the speech is the whole file, set
    `line` to `None`: the document then has no line number.
    """
    first = next(rows, None)
    if first is None:
        return
    with _refuse_errors(source, first.line, refused):
        said = list(_read_turns(source, chain([first], rows), text, refused))
        if said:
            blocks, speaker = _build_blocks(said)
            about = replace(said[0][0], speaker=speaker)
            place = None if line is None else first.line
            yield build_document(source, blocks, about, id=id, supplied=True, line=place)


def _read_turns(
    source: Source, rows: Iterable[Row], text: str, refused: Refused
) -> Iterator[tuple[Metadata, Turn]]:
    """Yield a pair for each row: its metadata, and a `Turn` (a paragraph with its speaker and its time).

    Raises:
        ValueError: the rows together are too long for a speech.
    """
    size_chars = 0
    for row in rows:
        size_chars += len(row.values[text])
        if size_chars > LARGEST_FILE_BYTES:
            raise ValueError(f"a speech of more than {LARGEST_FILE_BYTES} characters")
        about = read_mapping(row.values, partial(report_skipped, refused, source.file, row.line))
        start, end = (_parse_time(row, names) for names in (START, END))
        yield about, Turn(strip_markup(row.values[text]), about.speaker, start, end)


def _parse_time(row: Row, names: Sequence[str]) -> float | None:
    return next((parse_seconds(row.values[name]) for name in names if name in row.values), None)


@contextmanager
def _refuse_errors(source: Source, line: int, refused: Refused) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        refused(TranscriptError(source.file, str(error), line=line))
    except TranscriptError as error:
        refused(error)


def _build_blocks(said: Sequence[tuple[Metadata, Turn]]) -> tuple[list[Block], str | None]:
    """Return the paragraphs of a speech, and its speaker.

    If there is not exactly one speaker, the speaker is `None`, and a speaker tag marks each change of
    speaker.
    """
    turns = [turn for _, turn in said]
    speakers = {turn.speaker for turn in turns if turn.speaker}
    only = next(iter(speakers)) if len(speakers) == 1 else None
    return list(build_turn_blocks(turns, only)), only
