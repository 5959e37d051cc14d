"""Read tables with a header row (CSV, TSV) for commands that process many items at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

from rostrum_core.errors import BadInput

LONGEST_VALUE: Final = 131_072
"""Maximum number of characters of a value.

This is the default of `csv`, which any part of the process may raise with `csv.field_size_limit`.
"""


def open_table(text: str, delimiter: str, where: str = "") -> csv.DictReader[str]:
    r"""Return a reader of the rows of a table, with its column names in lower case and without spaces around.

    Error messages begin with `where`, such as the name of the file.

    >>> list(open_table("Text, Author\nWe go.,Wren\n", ","))
    [{'text': 'We go.', 'author': 'Wren'}]

    Raises:
        BadInput: the header row has a value of more than `LONGEST_VALUE` characters.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = list(reader.fieldnames or ())
    except csv.Error as error:
        raise BadInput(_describe_fault(where, "the head")) from error
    if any(len(name) > LONGEST_VALUE for name in names):
        raise BadInput(_describe_fault(where, "the head"))
    reader.fieldnames = [name.strip().casefold() for name in names]
    return reader


def read_rows(reader: csv.DictReader[str], where: str = "") -> Iterator[dict[str | Any, str | Any]]:
    """Yield the rows of a table that `open_table` opened; error messages begin with `where`.

    Raises:
        BadInput: a row has a value of more than `LONGEST_VALUE` characters, usually because a quotation mark
            is left open. The message names the row, counted from 1 without the header row.
    """
    number = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadInput(_describe_fault(where, f"row {number}")) from error
        if any(len("".join(value or ())) > LONGEST_VALUE for value in row.values()):
            raise BadInput(_describe_fault(where, f"row {number}"))
        yield row
        number += 1


def _describe_fault(where: str, row: str) -> str:
    return f"{where}{row}: a value of more than {LONGEST_VALUE:,} characters; is a quotation mark left open?"
