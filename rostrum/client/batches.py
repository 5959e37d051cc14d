"""Split rows of speeches into the bodies of several requests, and merge the reports on these requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rostrum_core.refresh_jobs import Report
from rostrum_core.uploads import BulkReport, RefusedLine

BATCH_BYTES = 16 << 20
"""Bytes of one request. Each request publishes a generation; the service accepts four times as much."""


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

    >>> list(split_bodies([{"id": "a"}, {"id": "b"}, {"id": "c"}], 26))
    [(b'{"id": "a"}\n{"id": "b"}\n', 2), (b'{"id": "c"}\n', 1)]
    """
    if isinstance(rows, Mapping):
        raise TypeError("rows are given one after the other: [row] is one, not the row itself")
    lines: list[bytes] = []
    size_bytes = 0
    for row in rows:
        line = json.dumps(row).encode() + b"\n"
        if lines and size_bytes + len(line) > most_bytes:
            yield b"".join(lines), len(lines)
            lines, size_bytes = [], 0
        lines.append(line)
        size_bytes += len(line)
    if lines:
        yield b"".join(lines), len(lines)


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
