"""Rows that are slow to make, kept by id in one file, so that a run that was broken off goes on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from rostrum.training.pairs import rows

Row = dict[str, Any]


class RowFile:
    """JSON lines in a gzip file, each with an `id`; without a path, rows are kept for the run alone.

    Raises:
        BadInput: the file is there and cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._rows: dict[str, Row] = {row["id"]: row for row in rows(path)} if path and path.exists() else {}

    def __contains__(self, id: str) -> bool:
        return id in self._rows

    def __getitem__(self, id: str) -> Row:
        return self._rows[id]

    def add(self, row: Row) -> None:
        """Keeps a row until `save` writes it."""
        self._rows[row["id"]] = row

    def save(self) -> None:
        """Writes all rows at once: a kill leaves the file as it was."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(".new")
        with gzip.open(written, "wt", encoding="utf-8") as opened:
            opened.writelines(json.dumps(row) + "\n" for row in self._rows.values())
        written.replace(self._path)
