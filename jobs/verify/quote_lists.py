"""Read lists of quotations to check: JSON lines, CSV, or one quotation per line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from indexer.encodings import decode
from jobs.json_lines import split_lines
from jobs.tables import open_table, read_rows
from jobs.verify.attribution import split_narration
from jobs.verify.speakers import parse_day_span
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteRow

JSON_SUFFIXES: Final = frozenset((".jsonl", ".ndjson", ".json"))
OPENING: Final = {"“": "”", "„": "“”", "«": "»", '"': '"', "‘": "’", "”": "”"}
QUOTE, SPEAKER, DATE, ID = "quote", "speaker", "date", "id"
NAMES: Final = {
    QUOTE: ("quote", "quotation", "text"),
    SPEAKER: ("speaker", "said_by", "author", "who"),
    DATE: ("date", "said_on", "spoken_on", "when"),
    ID: ("id", "number", "key"),
}
"""Accepted column names of each field; the first is preferred."""

WITH_TIME: Final = re.compile(
    r"(\d{4}(?:-\d{1,2}){0,2})(?:[T ]\d.*|Z|[+-]\d{2}:?\d{2})?", re.ASCII | re.DOTALL
)
"""Match a day, month or year, perhaps with a time of day."""


def read_quotes(path: Path) -> list[QuoteRow]:
    """Read the list of quotations in a file; `-` is standard input.

    Files named `.csv` or `.tsv` are tables with a header row, `.jsonl` files are JSON lines. Any other file
    is JSON lines if its first line is a JSON object; otherwise it has one quotation per line.

    Raises:
        BadInput: the file cannot be read, a row has no quotation or an invalid date, or a value of a table
            is too long, because a quotation mark is left open.
    """
    try:
        data = _read_content(path)
        text = decode(data, str(path)).lstrip("\ufeff")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    rows = list(parse_quotes(text, suffix=path.suffix.lower()))
    if not rows:
        raise BadInput(f"{path}: no quotation in it")
    return rows


def parse_quotes(text: str, *, suffix: str = "") -> Iterator[QuoteRow]:
    r"""Parse the rows of a list of quotations. `suffix` is the suffix of the file's name, such as ".csv".

    >>> [row.parts for row in parse_quotes("“One two three four”\n\nFive six\n")]
    [('One two three four',), ('Five six',)]
    >>> [row.speaker for row in parse_quotes("quote,speaker\nWe go on,Lincoln\n", suffix=".csv")]
    ['Lincoln']

    Raises:
        BadInput: a row has no quotation or an invalid date.
    """
    if suffix in (".csv", ".tsv"):
        yield from _parse_table(text, "\t" if suffix == ".tsv" else ",")
    elif suffix in JSON_SUFFIXES or text.lstrip().startswith("{"):
        yield from _parse_json_lines(text)
    else:
        lines = (line for line in split_lines(text) if line.strip())
        for number, line in enumerate(lines, 1):
            yield make_row(str(number), line)


def make_row(
    identity: str, quote: str, speaker: str | None = None, said_on: str | None = None, field: str = QUOTE
) -> QuoteRow:
    """Build the row of a quotation, removing quotation marks around the whole quotation.

    Raises:
        BadInput: the quotation is empty, or the date is invalid.
    """
    words = strip_marks(quote)
    if not words:
        raise BadInput(f"row {identity} has no quotation", field=field)
    return QuoteRow(identity, split_narration(words), speaker or None, check_date(said_on, identity))


def strip_marks(quote: str) -> str:
    """Remove the quotation marks around a quotation if they enclose the whole quotation.

    >>> strip_marks(' “We go.” '), strip_marks('"Go," he said. "Now."')
    ('We go.', '"Go," he said. "Now."')
    """
    quote = quote.strip()
    closing = OPENING.get(quote[:1], "")
    inside = quote[1:-1]
    if len(quote) > 1 and quote[-1] in closing and not any(mark in inside for mark in {quote[0], *closing}):
        return inside.strip()
    return quote


def check_date(said_on: str | None, identity: str) -> str | None:
    """Check that `said_on` is a day, month or year, and return it without a time of day; `None` if it is
    missing or blank.

    The time of day follows a "T" or a blank: "2016-05-03T10:00" gives "2016-05-03".

    Raises:
        BadInput: the date is invalid. The message names the row by `identity`.
    """
    if said_on is None or not str(said_on).strip():
        return None
    match = WITH_TIME.fullmatch(str(said_on).strip())
    written = match[1] if match else str(said_on).strip()
    try:
        if match is None:
            raise ValueError(written)
        parse_day_span(written)
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"row {identity}: {written!r} is not a day, month or year such as 2016-05-03", field=DATE
        ) from error
    return written


def _read_content(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    if path.is_dir():
        raise BadInput(f"{path} is a folder, not a list of quotations")
    return path.read_bytes()


def _parse_json_lines(text: str) -> Iterator[QuoteRow]:
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.strip())
        except (ValueError, RecursionError) as error:
            raise BadInput(f"line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise BadInput(f"line {number} is not an object with a quote")
        yield _read_mapping(row, number)


def _parse_table(text: str, delimiter: str) -> Iterator[QuoteRow]:
    reader = open_table(text, delimiter)
    names = list(reader.fieldnames or ())
    if not set(names) & set(NAMES[QUOTE]):
        raise BadInput(
            f"the head names no column {QUOTE!r}; it has {', '.join(names) or 'none'}", field=QUOTE
        )
    for number, row in enumerate(read_rows(reader), 1):
        if any(isinstance(value, str) and value.strip() for value in row.values()):
            yield _read_mapping(row, number)


def _read_mapping(row: Mapping[str, Any], number: int) -> QuoteRow:
    quote, speaker, said_on, identity = (_read_value(row, name) for name in (QUOTE, SPEAKER, DATE, ID))
    return make_row(identity or str(number), quote or "", speaker, said_on)


def _read_value(row: Mapping[str, Any], name: str) -> str | None:
    for item in NAMES[name]:
        value = row.get(item)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise BadInput(f"{item} must be text", field=item)
        return str(value)
    return None
