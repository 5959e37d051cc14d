"""Write JSON lines whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from indexer.files import GZIP, resolve_path


@contextmanager
def write_json_lines(path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield a function that collects rows, and write them to `path` when the context ends.

    A path ending in `.gz` is compressed. If the run fails, the existing file stays as it was. Equal rows give
    equal bytes. A symbolic link stays one: its target is replaced. If `path` is a device or a pipe, rows are
    written as they come.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _open_raw(path) as raw:
        # Write neither name nor time into the gzip header: they would differ from run to run.
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.name.endswith(GZIP) else None
        with packed or raw as stream:
            yield lambda row: _write(stream.write, row)


@contextmanager
def _open_raw(path: Path) -> Iterator[BinaryIO]:
    """Open a partial file that replaces `path` later, or `path` itself if it is not a regular file."""
    if path.exists() and not path.is_file():
        with path.open("wb") as raw:
            yield raw
        return
    partial = name_partial_file(path)
    try:
        with partial.open("wb") as raw:
            yield raw
        os.replace(partial, resolve_path(path))
    finally:
        partial.unlink(missing_ok=True)


def name_partial_file(path: Path) -> Path:
    """Return the path of the partial file, in the same folder as the target of `path`."""
    led = resolve_path(path)
    return led.with_name(led.name + ".part")


def _write(write: Callable[[bytes], int], row: dict[str, Any]) -> None:
    write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
