"""Record the contents of a complete generation: its counts, and a checksum of each file to detect damage.

A generation is a version of the archive. Its contents are recorded once, when it is complete; its files do
not change after that (docs/decisions/0034-a-generation-keeps-checksums.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rostrum_core.errors import StoreError

CONTENTS = "contents.json"
RULES = "rules.json"
ARCHIVE = "archive.sqlite"
PARAGRAPHS = "paragraphs"
DOCUMENTS = "documents"
VECTORS = "vectors.faiss"
WORDING = "wording.bin"
COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Contents:
    """Hold the numbers of documents and paragraphs of a generation, and the SHA-256 of each of its files.

    `sha256` maps a file's path within the generation's folder, such as "columns/terms.npy", to the checksum.
    """

    documents: int
    paragraphs: int
    sha256: dict[str, str]

    @classmethod
    def of(cls, folder: Path, documents: int, paragraphs: int) -> Contents:
        """Compute the checksums of all files in a generation's folder, and return them with the given counts.

        This reads every byte: 1.3 GB take a second.
        """
        digests = {path.relative_to(folder).as_posix(): hash_file(path) for path in _list_files(folder)}
        return cls(documents, paragraphs, digests)

    @classmethod
    def read(cls, folder: Path) -> Contents | None:
        """Read the recorded contents of the generation in `folder`; `None` if an earlier version did not
        record them.

        Raises:
            StoreError: the file of contents is damaged.
        """
        try:
            return cls(**json.loads((folder / CONTENTS).read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise StoreError(f"{folder / CONTENTS} is damaged: {error}") from error

    def find_damaged(self, folder: Path) -> Path | None:
        """Return the path of the first recorded file that is missing or changed; `None` if all files are
        intact.
        """
        return next((folder / file for file in self.sha256 if not self.contain(folder / file, file)), None)

    def contain(self, path: Path, file: str) -> bool:
        """Return whether the file at `path` exists and has the checksum that was recorded for `file`.

        `file` is a path within the generation's folder; `path` may be a copy of this file elsewhere.
        """
        return path.exists() and hash_file(path) == self.sha256.get(file)

    def contain_part(self, folder: Path, part: str) -> bool:
        """Return whether the file or folder `part`, such as "columns", exists unchanged in the generation's
        folder.
        """
        files = [file for file in self.sha256 if file == part or file.startswith(f"{part}/")]
        return bool(files) and all(self.contain(folder / file, file) for file in files)


def hash_file(path: Path) -> str:
    """Return the hex SHA-256 of a file's bytes."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _list_files(folder: Path) -> Iterator[Path]:
    """Yield the paths of those files in a generation's folder that are needed to answer queries.

    The text indexes' lock files, which begin with a dot, are skipped.
    """
    for name in (ARCHIVE, VECTORS, WORDING, RULES):
        if (folder / name).exists():  # an empty archive has no vectors
            yield folder / name
    for name in (PARAGRAPHS, DOCUMENTS, COLUMNS):
        if (folder / name).exists():  # an empty archive has no columns
            yield from sorted(path for path in (folder / name).iterdir() if not path.name.startswith("."))
