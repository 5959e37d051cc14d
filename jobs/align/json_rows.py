"""Read articles or transcripts from JSON lines and from files of other formats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import replace_surrogates
from indexer.dates import parse_date
from indexer.files import open_file, read_lines
from indexer.formats import Refused, find_format
from indexer.formats.jsonl import parse_line
from indexer.ingest import read
from indexer.walk import walk_files
from rostrum_core.dates import read_whole_day
from rostrum_core.errors import BadInput, TranscriptError
from rostrum_core.types import Document


class Identified(Protocol):
    """Describe the items that `read_identified` yields, articles or transcripts: each has a unique `id`."""

    @property
    def id(self) -> str:
        """Return the id of the item, which is unique in its input."""


Made = TypeVar("Made", bound=Identified)


def read_identified(
    paths: Sequence[Path],
    parse_row: Callable[[dict[str, Any]], Made],
    convert_document: Callable[[Document], Made],
    refused: Refused,
    leave_out: Collection[Path] = (),
    boilerplate: Boilerplate = NO_RULES,
) -> Iterator[Made]:
    """Yield the articles or transcripts in the files and folders `paths`, in the order of the paths.

    `parse_row` converts a row of JSON lines, and `convert_document` a document from any other file. A
    folder's JSON lines come before its other files, which the rules of `boilerplate` clean. Files in
    `leave_out` are skipped.

    `refused` is called for each input that is skipped because of an error: it cannot be read, `parse_row`
    raises `ValueError`, or its id has come before.

    Raises:
        BadInput: a path does not exist.
    """
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path} is not there", field="paths")
    seen: set[str] = set()
    for path in paths:
        for made in _read_path(path, parse_row, convert_document, refused, leave_out, boilerplate):
            if made.id in seen:
                refused(TranscriptError(str(path), f"the id {made.id!r} has come before"))
            else:
                seen.add(made.id)
                yield made


def _read_path(
    path: Path,
    parse_row: Callable[[dict[str, Any]], Made],
    convert_document: Callable[[Document], Made],
    refused: Refused,
    leave_out: Collection[Path],
    boilerplate: Boilerplate,
) -> Iterator[Made]:
    inside = [located.path for located in walk_files(path, _ignore_error, leave_out)]
    rows = [file for file in inside if (kind := find_format(file)) and kind.kind == "jsonl"]
    for file in rows:
        yield from _parse_rows(file, parse_row, refused)
    if path not in rows:
        documents = read([path], refused=refused, leave_out=[*rows, *leave_out], boilerplate=boilerplate)
        yield from map(convert_document, documents)


def _ignore_error(error: TranscriptError) -> None:
    """Ignore an error that occurs while a folder is searched for JSON lines.

    The same folder is then searched for other files, and the error is reported there.
    """


def _parse_rows(path: Path, parse_row: Callable[[dict[str, Any]], Made], refused: Refused) -> Iterator[Made]:
    try:
        with open_file(path) as stream:
            for number, data in read_lines(stream):
                if data is not None and not data.strip():
                    continue
                try:
                    yield parse_row(parse_line(data))
                except ValueError as error:
                    refused(TranscriptError(str(path), str(error), line=number))
    except TranscriptError as error:
        refused(error)


def read_text_field(row: dict[str, Any], field: str) -> str | None:
    """Return a text field of a row; `None` if it is missing.

    Lone surrogates (halves of a broken character) are replaced.

    Raises:
        ValueError: the field is not a string.
    """
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{field} is not a text")
    return None if value is None else replace_surrogates(value)


def read_day_field(row: dict[str, Any], field: str) -> str | None:
    """Return the day in a field of a row, in ISO 8601; `None` for a month, a year or a missing field.

    A year may be a number.

    >>> read_day_field({"date": "March 4, 2021"}, "date"), read_day_field({"date": "2021-03"}, "date")
    ('2021-03-04', None)

    Raises:
        ValueError: the field is not a string, or not a date.
    """
    value = row.get(field)
    written = str(value) if type(value) is int else read_text_field(row, field)
    return read_whole_day(parse_date(written)) if written else None


def read_paragraphs(row: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the paragraphs of a row; `None` if the row has no field `paragraphs`.

    Lone surrogates (halves of a broken character) are replaced by one character each, so that offsets stay
    valid.

    Raises:
        ValueError: the paragraphs are not a list of strings.
    """
    paragraphs = row.get("paragraphs")
    if paragraphs is None:
        return None
    if not isinstance(paragraphs, list) or not all(isinstance(text, str) for text in paragraphs):
        raise ValueError("paragraphs is not a list of texts")
    return tuple(map(replace_surrogates, paragraphs))
