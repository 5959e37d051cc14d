"""Write files of JSON lines so that a file is either complete or not changed at all."""

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
    """Open the file `path` for JSON lines, and yield a function that writes one row.

    The rows replace an existing file when the context ends. If the run fails, that file stays as it was. A
    path ending in `.gz` is compressed. Equal rows give equal bytes. If `path` is a symbolic link, it stays a
    link, and the file to which it points is replaced. If `path` is a device or a pipe, rows are written to it
    immediately.

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
    """Open a partial file to write rows to; it replaces `path` when the context ends without an error.

    If `path` is not a regular file, such as a pipe, open `path` itself.
    """
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
    """Return the path of the file that holds rows until they are complete: "pairs.jsonl" ->
    "pairs.jsonl.part".

    If `path` is a symbolic link, the partial file is in the folder of the file to which the link points.
    """
    led = resolve_path(path)
    return led.with_name(led.name + ".part")


def _write(write: Callable[[bytes], int], row: dict[str, Any]) -> None:
    write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
