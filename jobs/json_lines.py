"""Read files of JSON lines (one JSON object per line) for commands that process many items at once."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from indexer.characters import normalise
from indexer.encodings import decode
from rostrum_core.errors import BadInput


def read_json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects of a file, one per line; `-` is standard input. Blank lines are skipped.

    Raises:
        BadInput: the file cannot be read, or a line is not a JSON object.
    """
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    for number, line in enumerate(split_lines(decode(data, str(path)).lstrip("\ufeff")), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.strip())
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{path}, line {number}: not JSON") from error
        if not isinstance(row, dict):
            raise BadInput(f"{path}, line {number}: not an object")
        yield row


def split_lines(text: str) -> list[str]:
    r"""Split a text at line feeds and carriage returns only, and return the lines without their ends.

    `str.splitlines` also splits at characters such as U+2028 and U+0085, which JSON strings may contain.

    >>> split_lines("one\u2028two\r\n\nthree\n")
    ['one\u2028two', '', 'three']
    """
    return [line.removesuffix("\n") for line in io.StringIO(text, newline=None)]


def read_text(row: Mapping[str, Any], name: str, where: str, *, needed: bool = False) -> str:
    """Return the text in the field `name` of a row, normalised like the text of speeches; "" if it is
    missing.

    `where` says in error messages which row is meant.

    >>> read_text({"left": "He said"}, "left", "rows.jsonl"), read_text({}, "right", "rows.jsonl")
    ('He said', '')

    Raises:
        BadInput: the value is not a string, or `needed` is true and the value is missing or blank.
    """
    value = row.get(name)
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise BadInput(f"{where}: {name} is not text", field=name)
    text = normalise(value)
    if needed and not text.strip():
        raise BadInput(f"{where}: {name} is missing", field=name)
    return text


def read_id(row: Mapping[str, Any], number: int) -> str:
    """Return the id of a row as a string, or the row's number if it has no id.

    >>> read_id({"id": 7}, 1), read_id({}, 1)
    ('7', '1')
    """
    value = row.get("id")
    return str(number) if value is None or value == "" else str(value)
