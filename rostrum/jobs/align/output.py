"""JSON lines written whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from indexer.files import GZIP, real


@contextmanager
def json_lines(path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Takes rows and puts them into `path` at the end; packed where its name ends in `.gz`.

    Where the run breaks off, what was there before stays. Equal rows give equal bytes. A link stays one:
    where it leads is replaced. What is there and no file, a device or a pipe, takes the rows as they come.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _raw(path) as raw:
        # Neither name nor time in the gzip header: they would differ from run to run.
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.name.endswith(GZIP) else None
        with packed or raw as stream:
            yield lambda row: _write(stream.write, row)


@contextmanager
def _raw(path: Path) -> Iterator[BinaryIO]:
    """The bytes to be of `path`: of the partial file that takes its place, or of itself if it is no file."""
    if path.exists() and not path.is_file():
        with path.open("wb") as raw:
            yield raw
        return
    partial = partial_of(path)
    try:
        with partial.open("wb") as raw:
            yield raw
        os.replace(partial, real(path))
    finally:
        partial.unlink(missing_ok=True)


def partial_of(path: Path) -> Path:
    """Where rows stand until all are there: beside the file that the path leads to."""
    led = real(path)
    return led.with_name(led.name + ".part")


def _write(write: Callable[[bytes], int], row: dict[str, Any]) -> None:
    write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
