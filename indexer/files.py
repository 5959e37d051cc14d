"""Opens transcript files: regular ones only, gzip read through, and never more than a bound."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rostrum_core.errors import TranscriptError

LARGEST_FILE_BYTES = 64 << 20
# Of a file that is one text or page: 1.4 million words, or six days of speaking without a pause.
LARGEST_TEXT_BYTES = 8 << 20
LARGEST_LINE_BYTES = 16 << 20
# JSON lines of speeches shrink 3 to 10 times; what grows 200 times over when it is unpacked is no archive.
# Small files may be lopsided, so the first 64 MiB are not judged.
MOST_EXPANSION = 200
UNJUDGED_BYTES = 64 << 20
GZIP, MAGIC = ".gz", b"\x1f\x8b\x08"


def real(path: Path) -> Path:
    """Where a path leads, through every link; one that leads nowhere, or back to itself, is no error."""
    return Path(os.path.realpath(path))


class Unpacked(io.RawIOBase):
    """The bytes of a gzip stream; raises `TranscriptError` where they grow out of all proportion."""

    def __init__(self, packed: BinaryIO, file: str) -> None:
        self.packed, self.file, self.size_bytes = packed, file, 0
        self.stream = gzip.GzipFile(fileobj=packed, mode="rb")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fills `buffer`; 0 at the end.

        Raises:
            TranscriptError: the stream is cut short, damaged, or grows too much.
        """
        try:
            data = self.stream.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise TranscriptError(self.file, f"no whole gzip file: {error}") from error
        self.size_bytes += len(data)
        if self.size_bytes > max(UNJUDGED_BYTES, MOST_EXPANSION * self.packed.tell()):
            raise TranscriptError(self.file, f"unpacks to more than {MOST_EXPANSION} times its size")
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a regular file, unpacked if it is a gzip file by its name or its first bytes.

    Raises:
        TranscriptError: it is no regular file, cannot be opened or read on, or, at the end, it was changed
            meanwhile.
    """
    try:
        if not path.is_file():
            raise TranscriptError(str(path), "no regular file" if path.exists() else "not there")
        with open(path, "rb", opener=_without_waiting) as stream:
            before = os.fstat(stream.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise TranscriptError(str(path), "no regular file")
            packed = stream.read(len(MAGIC)) == MAGIC or path.name.lower().endswith(GZIP)
            stream.seek(0)
            yield io.BufferedReader(Unpacked(stream, str(path)), 1 << 16) if packed else stream
            after = os.fstat(stream.fileno())
            if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
                raise TranscriptError(str(path), "changed while it was read")
    except OSError as error:
        raise TranscriptError(str(path), error.strerror or str(error)) from error


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file, and a FIFO too that took its place meanwhile: that would wait for a writer otherwise."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def whole(stream: BinaryIO, file: str, limit_bytes: int = LARGEST_FILE_BYTES) -> bytes:
    """All bytes of a stream.

    Raises:
        TranscriptError: there are more than `limit_bytes`.
    """
    data = stream.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise TranscriptError(file, f"more than {limit_bytes} bytes")
    return data


def lines(stream: BinaryIO, limit_bytes: int = LARGEST_LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers from 1; `None` for one of more than `limit_bytes`, which is passed over."""
    number = 0
    while line := stream.readline(limit_bytes + 1):
        number += 1
        if len(line) <= limit_bytes:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit_bytes + 1)
        yield number, None
