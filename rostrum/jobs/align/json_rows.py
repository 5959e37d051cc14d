"""Rows of JSON-lines files, wherever they lie, made into what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import well_formed
from indexer.files import lines, opened
from indexer.formats import Refused, format_of
from indexer.formats.jsonl import row_of
from indexer.ingest import read
from indexer.walk import files
from rostrum_core.errors import BadInput, TranscriptError
from rostrum_core.types import Document


class Identified(Protocol):
    """Something that is read once by its id."""

    @property
    def id(self) -> str:
        """What it is known by."""


Made = TypeVar("Made", bound=Identified)


def read_each(
    paths: Sequence[Path],
    of_row: Callable[[dict[str, Any]], Made],
    of_document: Callable[[Document], Made],
    refused: Refused,
    leave_out: Collection[Path] = (),
    boilerplate: Boilerplate = NO_RULES,
) -> Iterator[Made]:
    """What rows of JSON lines and documents of other files are made into, one at a time, paths in order.

    The JSON lines of a folder come before its other files. `refused` is handed what cannot be read, a row at
    which `of_row` raises `ValueError`, and what has an id that has come before. `leave_out` is passed over.
    The rules of `boilerplate` tell what is no speech in other files.

    Raises:
        BadInput: a path is not there.
    """
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path} is not there", field="paths")
    seen: set[str] = set()
    for path in paths:
        for made in _made(path, of_row, of_document, refused, leave_out, boilerplate):
            if made.id in seen:
                refused(TranscriptError(str(path), f"the id {made.id!r} has come before"))
            else:
                seen.add(made.id)
                yield made


def _made(
    path: Path,
    of_row: Callable[[dict[str, Any]], Made],
    of_document: Callable[[Document], Made],
    refused: Refused,
    leave_out: Collection[Path],
    boilerplate: Boilerplate,
) -> Iterator[Made]:
    inside = [located.path for located in files(path, _told_by_read, leave_out)]
    rows = [file for file in inside if (kind := format_of(file)) and kind.kind == "jsonl"]
    for file in rows:
        yield from _of_rows(file, of_row, refused)
    if path not in rows:
        found = read([path], refused=refused, leave_out=[*rows, *leave_out], boilerplate=boilerplate)
        yield from map(of_document, found)


def _told_by_read(error: TranscriptError) -> None:
    """What cannot be read in a folder, which `read` walks too and tells of."""


def _of_rows(path: Path, of_row: Callable[[dict[str, Any]], Made], refused: Refused) -> Iterator[Made]:
    try:
        with opened(path) as stream:
            for number, data in lines(stream):
                if data is not None and not data.strip():
                    continue
                try:
                    yield of_row(row_of(data))
                except ValueError as error:
                    refused(TranscriptError(str(path), str(error), line=number))
    except TranscriptError as error:
        refused(error)


def text_of(row: dict[str, Any], field: str) -> str | None:
    """A field of a row that is text, or is not there; as `well_formed`.

    Raises:
        ValueError: it is something else.
    """
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{field} is no text")
    return None if value is None else well_formed(value)


def paragraphs_of(row: dict[str, Any]) -> tuple[str, ...] | None:
    """A row's paragraphs, `None` where it has none: as they are, but `well_formed`, so that offsets hold.

    Raises:
        ValueError: they are no list of texts.
    """
    found = row.get("paragraphs")
    if found is None:
        return None
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise ValueError("paragraphs is no list of texts")
    return tuple(map(well_formed, found))
