"""JSON lines written whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indexer.files import GZIP


@contextmanager
def json_lines(path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Takes rows and puts them into `path` at the end; packed where its name ends in `.gz`.

    Where the run breaks off, what was there before stays. Equal rows give equal bytes.

    Raises:
        OSError: the file cannot be written.
    """
    partial = partial_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with partial.open("wb") as raw:
            # Neither name nor time in the gzip header: they would differ from run to run.
            packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.name.endswith(GZIP) else None
            with packed or raw as stream:
                yield lambda row: _write(stream.write, row)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def partial_of(path: Path) -> Path:
    """Where rows stand until all are there."""
    return path.with_name(path.name + ".part")


def _write(write: Callable[[bytes], int], row: dict[str, Any]) -> None:
    write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
