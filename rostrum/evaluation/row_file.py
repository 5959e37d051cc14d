"""Rows that are slow to make, kept by id in one file, so that a run that was broken off goes on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from rostrum.evaluation.pairs import read_rows
from rostrum_core.locks import WriterLock
from rostrum_core.whole_files import replace_file

Row = dict[str, Any]


class RowFile:
    """JSON lines in a gzip file, each with an `id`; without a path, rows are kept for the run alone.

    With `anew`, what the file holds is left unread, and gives way to the new rows at `save`. One process at a
    time adds rows, from its first `add` on; any may read.

    Raises:
        BadInput: the file is there and cannot be read.
    """

    def __init__(self, path: Path | None, *, anew: bool = False) -> None:
        self._path, self._anew = path, anew
        self._rows: dict[str, Row] = self._read()
        self._lock = None if path is None else WriterLock(path.with_suffix(".lock"))

    def _read(self) -> dict[str, Row]:
        there = self._path is not None and self._path.exists() and not self._anew
        return {row["id"]: row for row in read_rows(self._path)} if self._path and there else {}

    def __contains__(self, id: str) -> bool:
        return id in self._rows

    def __getitem__(self, id: str) -> Row:
        return self._rows[id]

    def add(self, row: Row) -> None:
        """Keeps a row until `save` writes it.

        Raises:
            ArchiveBusy: another process adds rows to the file.
        """
        if self._path and self._lock and not self._lock.held:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            self._rows = self._read() | self._rows  # another may have written since
        self._rows[row["id"]] = row

    def save(self) -> None:
        """Writes all rows at once, if any was added: a kill leaves the file as it was."""
        if self._path is None or self._lock is None or not self._lock.held:
            return
        with replace_file(self._path) as part, gzip.open(part, "wt", encoding="utf-8") as opened:
            opened.writelines(json.dumps(row) + "\n" for row in self._rows.values())
