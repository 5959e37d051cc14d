"""Split drafts, quotations and speeches into the bodies of several requests, and merge their reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from rostrum_core.refresh_jobs import Report
from rostrum_core.uploads import BulkReport, RefusedLine, encode_row

BATCH_BYTES = 16 << 20
"""Bytes of one request. Each request publishes a generation; the service accepts four times as much."""

FORM_BYTES: Final = 4_000_000
"""Most bytes of the forms in one request; the service accepts a body of 4 MiB, 194,304 bytes more."""

SEPARATOR_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class Upserted:
    """Hold the result of an `upsert`, which may send several requests.

    `report` is the sum of the service's reports on these requests; it is `None` if there were no rows.
    `refused` has the first rows that were refused, `passed_over` the first rows that were skipped or lost a
    field. In both, `line` is the number of the row, counted from 1 over all requests.
    """

    report: Report | None = None
    refused: tuple[RefusedLine, ...] = ()
    passed_over: tuple[RefusedLine, ...] = ()

    def add_report(self, more: BulkReport, lines_before: int) -> Upserted:
        """Return this result together with `more`, the report on the next request.

        `lines_before` is the number of rows in all earlier requests. It is added to the line numbers of
        `more`.
        """
        return Upserted(
            _sum(self.report, more.report),
            (*self.refused, *_move_lines(more.refused, lines_before)),
            (*self.passed_over, *_move_lines(more.passed_over, lines_before)),
        )


def split_bodies(rows: Iterable[Mapping[str, Any]], most_bytes: int) -> Iterator[tuple[bytes, int]]:
    r"""Yield the bodies of requests as JSON lines, and the number of rows in each body.

    A body has at most `most_bytes`. A row that has more gets a body of its own.

    Raises:
        TypeError: `rows` is a single row.
        BadInput: a row holds a value that JSON cannot hold.

    >>> list(split_bodies([{"id": "a"}, {"id": "b"}, {"id": "c"}], 26))
    [(b'{"id": "a"}\n{"id": "b"}\n', 2), (b'{"id": "c"}\n', 1)]
    """
    if isinstance(rows, Mapping):
        raise TypeError("rows are given one after the other: [row] is one, not the row itself")
    lines: list[bytes] = []
    size_bytes = 0
    for number, row in enumerate(rows, 1):
        line = encode_row(row, number).encode()
        if lines and size_bytes + len(line) > most_bytes:
            yield b"".join(lines), len(lines)
            lines, size_bytes = [], 0
        lines.append(line)
        size_bytes += len(line)
    if lines:
        yield b"".join(lines), len(lines)


def encode_json(value: Any) -> bytes:
    r"""Return a value as JSON in UTF-8. A lone surrogate is escaped, because UTF-8 cannot encode it.

    >>> encode_json("слово \ud83d").decode()
    '"слово \\ud83d"'
    """
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def split_forms(
    forms: Sequence[Mapping[str, Any]], most: int, most_bytes: int = FORM_BYTES
) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield forms in batches of at most `most` forms, which have at most `most_bytes` together.

    A form that has more bytes gets a batch of its own.

    >>> list(split_forms([{"id": "a"}, {"id": "b"}, {"id": "c"}], 16, 26))
    [[{'id': 'a'}, {'id': 'b'}], [{'id': 'c'}]]
    """
    first, size_bytes = 0, 0
    for at, form in enumerate(forms):
        form_bytes = len(encode_json(form)) + SEPARATOR_BYTES
        if at > first and (at - first == most or size_bytes + form_bytes > most_bytes):
            yield forms[first:at]
            first, size_bytes = at, 0
        size_bytes += form_bytes
    if forms:
        yield forms[first:]


def _move_lines(lines: Iterable[RefusedLine], lines_before: int) -> list[RefusedLine]:
    return [replace(refused, line=refused.line and refused.line + lines_before) for refused in lines]


def _sum(one: Report | None, other: Report) -> Report:
    if one is None:
        return other
    counts = {
        field.name: getattr(one, field.name) + getattr(other, field.name)
        for field in fields(Report)
        if field.name not in ("generation", "canary")
    }
    generation, canary = other.generation or one.generation, other.canary or one.canary
    return Report(**counts, generation=generation, canary=canary)
