"""Count the bytes that an indexing run has read, to estimate the remaining time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from indexer.walk import walk_files
from rostrum_core.refresh_jobs import Progress
from rostrum_core.types import Document


class ByteCounter:
    """Add to each progress report of an indexing run how many bytes were read so far, and how many there are.

    The run reads the files in `paths`, except those in `leave_out`. Each report, with the counts added, is
    passed to `tell`. `file` is the number of the current file, from 1; `files` is the number of all files. In
    the current file, each character of the documents read so far counts as a byte.
    """

    def __init__(
        self, paths: Sequence[Path], leave_out: Collection[Path], tell: Callable[[Progress], None]
    ) -> None:
        sizes = list(map(measure_bytes, list_files(paths, leave_out)))
        self.total_bytes, self.files, self._tell = sum(sizes), len(sizes), tell
        self.file = 0
        self._before = self._size = self._within = 0

    @property
    def read_bytes(self) -> int:
        """Return the number of bytes read so far."""
        return self._before + min(self._within, self._size)

    def count_file(self, path: Path) -> None:
        """Count `path` as the current file, and the file before it as completely read."""
        self.file += 1
        self._before += self._size
        self._size, self._within = measure_bytes(path), 0

    def count_document(self, document: Document) -> None:
        """Count the text of a document as bytes read from the current file."""
        self._within += len(document.text)

    def report_progress(self, progress: Progress) -> None:
        """Pass a progress report of the run on to the callback `tell`, with the byte counts added."""
        self._tell(replace(progress, read_bytes=self.read_bytes, total_bytes=self.total_bytes))


def list_files(paths: Sequence[Path], leave_out: Collection[Path] = ()) -> list[Path]:
    """List the files that an indexing run over `paths` will read.

    Files in `leave_out` are not listed, nor paths that do not exist, such as "-" for standard input.
    """
    existing = [path for path in paths if path.exists()]
    return [
        located.path for path in existing for located in walk_files(path, lambda refused: None, leave_out)
    ]


def measure_bytes(path: Path) -> int:
    """Return the size of a file; 0 if it does not exist, such as standard input."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
