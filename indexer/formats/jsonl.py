"""JSON lines: one speech a line, as `id`, `title`, `speaker`, `date`, `paragraphs` or `text`, and more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from indexer.characters import one_line
from indexer.files import LARGEST_LINE_BYTES, lines
from indexer.formats.source import NOTHING_KNOWN, Found, Refused, Source, document
from indexer.formats.text import paragraphs
from indexer.metadata import MOST_KEYS, NAMES, from_mapping, misspelt
from rostrum_core.errors import ReadingRemark, TranscriptError

READ = frozenset({"id", "paragraphs", "text"}.union(*NAMES.values()))
"""Names of fields that are read, in lower case."""

MOST_REMARKS = 1_000
LONGEST_SHOWN = 60  # characters of a name that is repeated
LONGEST_ID = 256
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Every speech of the file, in order; a bad line is refused by its number and the next one read.

    A field that is not read is reported once, of the first row that has it.

    Raises:
        TranscriptError: the file cannot be read on.
    """
    known = set(READ)
    for number, data in lines(source.stream):
        if data is not None and not data.strip():
            continue
        try:
            row = _row(source, data, number)
            for remark in _new_remarks(row, known, source.file, number):
                refused(remark)
            yield _speech(source, row, number, refused)
        except TranscriptError as error:
            refused(error)


def _new_remarks(row: dict[str, Any], known: set[str], file: str, number: int) -> Iterator[ReadingRemark]:
    """Yield a remark on each field of a row that is not read and not among the `known`; then it is."""
    new = [name for name in row if name.lower() not in known][:MOST_KEYS]
    if not new or len(known) > MOST_REMARKS:
        return
    known.update(name.lower() for name in new)
    meant = dict(misspelt(row))
    for name in new:
        if name in meant:
            yield ReadingRemark(
                file, f"a field that may be misspelt: {name!r}, for {meant[name]!r}", line=number
            )
        else:
            yield ReadingRemark(file, f"a field that is not read: {name[:LONGEST_SHOWN]!r}", line=number)


def _row(source: Source, data: bytes | None, number: int) -> dict[str, Any]:
    try:
        return row_of(data)
    except ValueError as error:
        raise TranscriptError(source.file, str(error), line=number) from error


def _speech(source: Source, row: dict[str, Any], number: int, refused: Refused) -> Found:
    try:
        said = from_mapping(row, partial(remark_on, refused, source.file, number))
        texts, supplied = _texts(row)
        unnamed = replace(source, name=NOTHING_KNOWN)  # a file of many speeches names none of them
        return document(
            unnamed,
            texts,
            said,
            id=id_of(row),
            supplied=supplied,
            wrapped=not supplied,
            head=not supplied,
            line=number,
        )
    except ValueError as error:
        raise TranscriptError(source.file, str(error), line=number) from error


def remark_on(refused: Refused, file: str, line: int, reason: str) -> None:
    """Remark on a value of a row that is left out."""
    refused(ReadingRemark(file, reason, line=line))


def row_of(data: bytes | None) -> dict[str, Any]:
    """The object on a line; `None` stands for a line that was too long to read.

    Raises:
        ValueError: it is none.
    """
    if data is None:
        raise ValueError(f"a line of more than {LARGEST_LINE_BYTES} bytes")
    try:
        row = json.loads(data.removeprefix(BYTE_ORDER_MARK).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1} of the line") from error
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" at")  # of some reasons the json module's own words end so
        raise ValueError(f"no JSON: {reason} at character {error.colno}") from error
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error
    if not isinstance(row, dict):
        raise ValueError(f"expected an object, found {_json_type(row)}")
    return row


def _json_type(value: Any) -> str:
    """What JSON calls a value that is no object."""
    match value:
        case None | True | False:
            return json.dumps(value)
        case list():
            return "an array"
        case str():
            return "a string"
    return "a number"


def id_of(row: dict[str, Any]) -> str:
    """Return the row's id, exactly as it is given.

    Raises:
        ValueError: it has none, one that is too long, one that no address can name, or one with characters
            that texts are cleaned of. Cleaned, it might be the id of another document.
    """
    given = row.get("id")
    if isinstance(given, bool) or not isinstance(given, str | int) or not one_line(str(given)):
        raise ValueError("expected an id, found none" if given is None else f"{str(given)[:60]!r} is no id")
    found = str(given)
    if found != one_line(found):
        raise ValueError(f"{found[:60]!r} is no id: invisible characters, line ends, or spaces too many")
    if found in {".", ".."}:
        raise ValueError(f"{found!r} is no id: in an address it names a folder")
    if len(found) > LONGEST_ID:
        raise ValueError(f"an id of {len(found)} characters, more than {LONGEST_ID}")
    return found


def _texts(row: dict[str, Any]) -> tuple[list[str], bool]:
    """The row's paragraphs and whether it marks them itself."""
    given, text = row.get("paragraphs"), row.get("text")
    if isinstance(given, list) and all(isinstance(paragraph, str) for paragraph in given):
        return given, True
    if given is None and isinstance(text, str):
        return paragraphs(text), False
    raise ValueError("expected paragraphs (a list of texts) or text, found neither")
