"""Save rows that are slow to compute in one file, by id, so that an interrupted run can resume."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from evaluation.pairs import read_rows
from rostrum_core.locks import WriterLock
from rostrum_core.whole_files import replace_file

Row = dict[str, Any]


class RowFile:
    """Store rows with an `id` as JSON lines in a gzip file; without a path, rows are kept in memory only.

    With `overwrite`, existing rows are ignored, and replaced at `save`. Only one process at a time can add
    rows; any number of processes can read them.

    Raises:
        BadInput: if the file exists and cannot be read.
    """

    def __init__(self, path: Path | None, *, overwrite: bool = False) -> None:
        self._path, self._overwrite = path, overwrite
        self._rows: dict[str, Row] = self._read()
        self._lock = None if path is None else WriterLock(path.with_suffix(".lock"))

    def _read(self) -> dict[str, Row]:
        there = self._path is not None and self._path.exists() and not self._overwrite
        return {row["id"]: row for row in read_rows(self._path)} if self._path and there else {}

    def __contains__(self, id: str) -> bool:
        return id in self._rows

    def __getitem__(self, id: str) -> Row:
        return self._rows[id]

    def add(self, row: Row) -> None:
        """Add a row, to be written by `save`.

        Raises:
            ArchiveBusy: if another process adds rows to the file.
        """
        if self._path and self._lock and not self._lock.held:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            self._rows = self._read() | self._rows  # another process may have written since
        self._rows[row["id"]] = row

    def save(self) -> None:
        """Write all rows to the file atomically, if a row was added.

        If the process is killed, the old file stays intact.
        """
        if self._path is None or self._lock is None or not self._lock.held:
            return
        with replace_file(self._path) as part, gzip.open(part, "wt", encoding="utf-8") as opened:
            opened.writelines(json.dumps(row) + "\n" for row in self._rows.values())
