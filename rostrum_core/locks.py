"""Allow only one writer at a time, across processes and within one process."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rostrum_core.errors import ArchiveBusy


class WriterLock:
    """Lock a file, so that there is only one writer, and write the process id of the writer to the file.

    If the writer is killed, the lock is free again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @property
    def held(self) -> bool:
        """Return whether this object holds the lock."""
        return self._file is not None

    def acquire(self) -> None:
        """Take the lock, unless this object holds it already.

        Raises:
            ArchiveBusy: another writer holds the lock.
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
        except OSError:  # for example on a full disk
            self.release()
            raise

    def release(self) -> None:
        """Release the lock, if this object holds it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __del__(self) -> None:
        self.release()


@contextmanager
def wait_for_lock(path: Path) -> Iterator[None]:
    """Wait until the lock on a file is free, and hold the lock during the block.

    There is no timeout, so a block should take only a moment.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
