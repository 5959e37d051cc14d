"""Describe the folder of an archive to an operator: its path, size, free disk space and health."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

from embedded.generations import Generations
from embedded.store import EmbeddedStore
from rostrum_core.errors import StoreError

LEAST_FREE_BYTES = 1_000_000_000


class FolderSite:
    """Return the path, the size and the health checks of an archive's folder, even if the folder does not
    exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def place(self) -> str:
        """Return the path of the folder."""
        return str(self._folder)

    def size_bytes(self) -> int:
        """Return the size of all files below the folder in bytes; 0 if the folder does not exist."""
        walked = os.walk(self._folder)  # unlike `rglob` it skips folders that are removed meanwhile
        return sum(_measure_file(Path(place, name)) for place, _, names in walked for name in names)

    def free_bytes(self) -> int | None:
        """Return how many bytes are free on the disk that has the folder."""
        return shutil.disk_usage(self._find_place()).free

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """Return health checks by name: of the archive (see `EmbeddedStore.check`) and of the free disk
        space.

        Each check is a function that returns a line of text, such as "52.1 GB free at /data", or raises
        `StoreError`.
        """
        return {"archive": self._describe_archive, "disk": self._describe_disk}

    def _describe_archive(self) -> str:
        store = EmbeddedStore(self._folder)
        if not self._folder.exists():
            return f"none yet at {self._folder}"
        if Generations(self._folder).read_pointer().published is None:
            return f"none published yet at {self._folder}"
        store.check()
        documents, paragraphs = store.count()
        return f"{documents:,} documents, {paragraphs:,} paragraphs at {self._folder}"

    def _describe_disk(self) -> str:
        place = self._find_place()
        free = shutil.disk_usage(place).free
        message = f"{free / 1e9:,.1f} GB free at {place}"
        if free < LEAST_FREE_BYTES:
            raise StoreError(message)
        return message

    def _find_place(self) -> Path:
        """Return the archive's folder, or the nearest parent folder that exists if the archive's folder does
        not.
        """
        folders = (self._folder.absolute(), *self._folder.absolute().parents)
        return next(folder for folder in folders if folder.exists())


def _measure_file(path: Path) -> int:
    """Return the size of a file in bytes; 0 for a link to a folder, or for a file that was just removed."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0
