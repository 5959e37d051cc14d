"""Open transcript files: only regular files, decompressing gzip, and up to a size limit."""

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
# Limit for a file that is one text or page: 1.4 million words, or six days of continuous speech.
LARGEST_TEXT_BYTES = 8 << 20
LARGEST_LINE_BYTES = 16 << 20
# JSON lines of speeches shrink 3 to 10 times; a file that unpacks to 200 times its size is not an archive.
# Small files may have an extreme ratio, so the first 64 MiB are not checked.
MOST_EXPANSION = 200
UNJUDGED_BYTES = 64 << 20
GZIP, MAGIC = ".gz", b"\x1f\x8b\x08"


def resolve_path(path: Path) -> Path:
    """Return the absolute path with all symbolic links followed.

    No error is raised if a link leads nowhere or back to itself.
    """
    return Path(os.path.realpath(path))


class Unpacked(io.RawIOBase):
    """Decompress a gzip stream as it is read; raise `TranscriptError` if it grows out of proportion."""

    def __init__(self, packed: BinaryIO, file: str) -> None:
        self.packed, self.file, self.size_bytes = packed, file, 0
        self.stream = gzip.GzipFile(fileobj=packed, mode="rb")

    def readable(self) -> bool:
        """Return `True`, because the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill `buffer` and return the number of bytes; 0 at the end.

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
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file as bytes, decompressed if its name or its first bytes mark it as gzip.

    Raises:
        TranscriptError: `path` is not a regular file, cannot be opened or read, or was changed while it was
            read (detected at the end).
    """
    try:
        if not path.is_file():
            raise TranscriptError(str(path), "no regular file" if path.exists() else "not there")
        with open(path, "rb", opener=_open_nonblocking) as stream:
            before = os.fstat(stream.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise TranscriptError(str(path), "no regular file")
            packed = stream.read(len(MAGIC)) == MAGIC or path.name.lower().endswith(GZIP)
            stream.seek(0)
            yield _unpack(stream, str(path)) if packed else stream
            after = os.fstat(stream.fileno())
            if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
                raise TranscriptError(str(path), "changed while it was read")
    except OSError as error:
        raise TranscriptError(str(path), error.strerror or str(error)) from error


def _unpack(packed: BinaryIO, file: str) -> BinaryIO:
    """Return a stream of the decompressed bytes of a gzip file.

    Gzip inside gzip is rejected, because the limit on the unpacked size covers the outer file only.
    """
    unpacked = io.BufferedReader(Unpacked(packed, file), 1 << 16)
    if unpacked.peek(len(MAGIC)).startswith(MAGIC):
        raise TranscriptError(file, "a gzip file within a gzip file; unpack it once")
    return unpacked


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without waiting. A named pipe that has replaced the file would wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_whole(stream: BinaryIO, file: str, limit_bytes: int = LARGEST_FILE_BYTES) -> bytes:
    """Read all bytes of a stream.

    Raises:
        TranscriptError: there are more than `limit_bytes`.
    """
    data = stream.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise TranscriptError(file, f"more than {limit_bytes} bytes")
    return data


def read_lines(stream: BinaryIO, limit_bytes: int = LARGEST_LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line of a stream as a pair (number, line); the line is `None` if it exceeds `limit_bytes`.

    Numbers count from 1.
    """
    number = 0
    while line := stream.readline(limit_bytes + 1):
        number += 1
        if len(line) <= limit_bytes:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit_bytes + 1)
        yield number, None
