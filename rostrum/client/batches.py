"""Split rows of speeches into request bodies, and merge the reports."""

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
    """Sum up the reports, with the first rows that were refused or lost a field.

    `report` is `None` if there were no rows. Lines are counted over all rows, from 1.
    """

    report: Report | None = None
    refused: tuple[RefusedLine, ...] = ()
    passed_over: tuple[RefusedLine, ...] = ()

    def add_report(self, more: BulkReport, lines_before: int) -> Upserted:
        """Return the sum with the next request's report added."""
        return Upserted(
            _sum(self.report, more.report),
            (*self.refused, *_move_lines(more.refused, lines_before)),
            (*self.passed_over, *_move_lines(more.passed_over, lines_before)),
        )


def split_bodies(rows: Iterable[Mapping[str, Any]], most_bytes: int) -> Iterator[tuple[bytes, int]]:
    r"""Yield bodies of JSON lines and their number of rows.

    A body has at most `most_bytes`, unless one row has more.

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
