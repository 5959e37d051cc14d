"""One writer at a time, over processes and over objects of one process."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rostrum_core.errors import ArchiveBusy


class WriterLock:
    """A lock on a file that names its holder's process; a killed process holds it no longer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def acquire(self) -> None:
        """Takes the lock, unless this object holds it already.

        Raises:
            ArchiveBusy: another writer holds it.
        """
        if self._file is not None:
            return
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(file, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(file)
            raise ArchiveBusy(
                f"another writer is at work on {self._path.parent} (process {holder})"
            ) from error
        self._file = file
        try:
            os.ftruncate(file, 0)
            os.write(file, f"{os.getpid()}\n".encode())
        except OSError:  # as on a full disk
            self.release()
            raise

    def release(self) -> None:
        """Gives the lock back, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __del__(self) -> None:
        self.release()


@contextmanager
def wait_for_lock(path: Path) -> Iterator[None]:
    """Holds a lock on a file for the length of a block, after waiting for its holder: for moments only."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
