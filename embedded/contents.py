"""What a complete generation holds: how much, and a checksum of each file, by which damage is found.

They are written down once, when it is complete; its files are not changed after that
(docs/decisions/0034-a-generation-keeps-checksums.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ARCHIVE = "archive.sqlite"
PARAGRAPHS = "paragraphs"
DOCUMENTS = "documents"
VECTORS = "vectors.faiss"
WORDING = "wording.bin"


@dataclass(frozen=True, slots=True)
class Contents:
    """How many documents and paragraphs, and the SHA-256 of each file by its path within the folder."""

    documents: int
    paragraphs: int
    sha256: dict[str, str]

    @classmethod
    def of(cls, folder: Path, documents: int, paragraphs: int) -> Contents:
        """The contents of a generation's folder, every byte of it read: 1.3 GB take a second."""
        digests = {path.relative_to(folder).as_posix(): digest(path) for path in _files(folder)}
        return cls(documents, paragraphs, digests)

    def damaged(self, folder: Path) -> Path | None:
        """The first file that is gone or not as it was; `None` where there is none."""
        return next((folder / file for file in self.sha256 if not self.holds(folder / file, file)), None)

    def holds(self, path: Path, file: str) -> bool:
        """Whether what is in `path` is `file` as it was."""
        return path.exists() and digest(path) == self.sha256.get(file)


def digest(path: Path) -> str:
    """Hex SHA-256 of a file's bytes."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """The files that are read to answer; an index's locks, which begin with a dot, are none."""
    for name in (ARCHIVE, VECTORS, WORDING):
        if (folder / name).exists():  # there are no vectors of an empty archive
            yield folder / name
    for name in (PARAGRAPHS, DOCUMENTS):
        yield from sorted(path for path in (folder / name).iterdir() if not path.name.startswith("."))
