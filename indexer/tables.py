"""Read tables in text form, as exported from spreadsheets and databases, row by row as named values."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Literal

from indexer.characters import normalise_line
from indexer.field_names import rename_columns
from indexer.files import LARGEST_LINE_BYTES
from indexer.metadata import NOT_RENAMED
from indexer.text_lines import TextLines
from rostrum_core.errors import TranscriptError

DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r"sep=([,;\t|])\s*?(?:\r\n?|\n)", re.IGNORECASE)
LINE_END = re.compile(r"\r\n?|\n")
WHOLE_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')


@dataclass(frozen=True, slots=True)
class Row:
    """Hold the values of a row by column name in lower case, and the number of its first line, from 1."""

    values: dict[str, str]
    line: int


class Table:
    """Read a table whose first row names the columns; `column_names` are the names that the caller expects.

    The delimiter is the character that splits the first line into the most expected names. (`csv.Sniffer`
    would find the comma in any column of prose.) `renamed` maps the names in the file, in lower case, to the
    expected names: {"body": "text"}. `columns` are the new names, without the columns that are not read.

    Raises:
        TranscriptError: the stream is not text, or its first row cannot be parsed.
    """

    def __init__(
        self,
        stream: BinaryIO,
        file: str,
        column_names: Collection[str],
        renamed: Mapping[str, str] = NOT_RENAMED,
    ) -> None:
        lines = TextLines(stream, file)
        self.file, self._lines = file, _Lines(lines)
        delimiter = _detect_delimiter(lines.head, {*column_names, *renamed})
        if SEPARATOR.match(lines.head):  # Excel declares the delimiter in a line of its own
            next(self._lines)
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if _is_quoted(lines.head, delimiter) else csv.QUOTE_NONE
        csv.field_size_limit(LARGEST_LINE_BYTES)  # one limit for the whole process; the default is 131,072
        self._reader = csv.reader(self._lines, delimiter=delimiter, quoting=quoting, strict=True)
        try:
            first = next((row for row in self._reader if any(row)), [])
        except (ValueError, csv.Error) as error:
            raise TranscriptError(file, f"no row of a table: {error}", line=1) from error
        columns = [normalise_line(name).lower() for name in first]
        self._names = rename_columns(columns, renamed)
        self.columns = [name for name in self._names if name is not None]

    def read_rows(self, refused: Callable[[TranscriptError], None]) -> Iterator[Row]:
        """Yield the rows after the first; pass the error of a bad row to `refused`, and read the next row."""
        while True:
            line = self._lines.begin()
            try:
                row = next(self._reader)
                if any(row):
                    yield Row(self._name_values(row), line)
            except StopIteration:
                return
            except (ValueError, csv.Error) as error:
                self._lines.give_back()
                refused(TranscriptError(self.file, f"no row of the table: {error}", line=line))

    def _name_values(self, row: list[str]) -> dict[str, str]:
        while len(row) > len(self._names) and not row[-1]:
            row.pop()
        if len(row) != len(self._names):
            raise ValueError(f"expected {len(self._names)} values, found {len(row)}")
        named = reversed(list(zip(self._names, row, strict=True)))
        return {name: value for name, value in named if name is not None}


class _Lines:
    """Iterate over the lines of a table, and keep those of the current row, so that they can be read again.

    With an unclosed quotation mark, a row seems to continue over the next lines. These lines are then read
    again as rows of their own.
    """

    def __init__(self, lines: TextLines) -> None:
        self.lines = lines
        self.waiting: deque[str] = deque()
        self.taken: list[str] = []
        self.number, self.size_chars = 1, 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self.waiting.popleft() if self.waiting else self._read_next()
        self.taken.append(line)
        self.size_chars += len(line)
        if self.size_chars > LARGEST_LINE_BYTES:
            raise ValueError(f"a row of more than {LARGEST_LINE_BYTES} characters: is a quote left open?")
        return line

    def _read_next(self) -> str:
        try:
            return next(self.lines)
        except ValueError:
            self.taken.append("")
            raise

    def begin(self) -> int:
        """Begin a new row, and return the number of its first line, from 1."""
        self.number += len(self.taken)
        self.taken, self.size_chars = [], 0
        return self.number

    def give_back(self) -> None:
        """Put back all lines of the current row except the first, so that they are read again as new rows.

        Because of an unclosed quotation mark, they may have been read as part of this row.
        """
        self.waiting.extendleft(reversed(self.taken[1:]))
        self.taken = self.taken[:1]


def _detect_delimiter(head: str, column_names: Collection[str]) -> str:
    if separator := SEPARATOR.match(head):
        return separator[1]
    first = next(_split_lines(head), "")
    names = {
        mark: [normalise_line(name).strip('"').lower() for name in first.split(mark)] for mark in DELIMITERS
    }
    return max(DELIMITERS, key=lambda mark: len(set(column_names).intersection(names[mark])))


def _is_quoted(head: str, delimiter: str) -> bool:
    """Return whether double quotes enclose values in a table, judging by its beginning, `head`.

    In a tab-separated table with one line per row, quotes may be part of the text.
    """
    lines = list(_split_lines(head))
    if delimiter != "\t" or len({line.count(delimiter) for line in lines}) > 1:
        return True
    values = (value for line in lines for value in line.split(delimiter))
    return all(WHOLE_IN_QUOTES.fullmatch(value) for value in values if value.startswith('"'))


def _split_lines(head: str) -> Iterator[str]:
    return (line for line in LINE_END.split(head) if line.strip())
