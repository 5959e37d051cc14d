"""Describe the folder of an archive to an operator."""

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
    """Describe an archive's folder, whether it exists or not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def place(self) -> str:
        """Return the path of the folder."""
        return str(self._folder)

    def size_bytes(self) -> int:
        """Return the size of all files below the folder; 0 if it does not exist."""
        walked = os.walk(self._folder)  # unlike `rglob` it skips folders that are removed meanwhile
        return sum(_measure_file(Path(place, name)) for place, _, names in walked for name in names)

    def free_bytes(self) -> int | None:
        """Return the free bytes of the folder's disk."""
        return shutil.disk_usage(self._find_place()).free

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """Return checks of the archive's integrity (see `EmbeddedStore.check`) and of the free space."""
        return {"archive": self._describe_archive, "disk": self._describe_disk}

    def _describe_archive(self) -> str:
        if not self._folder.exists():
            return f"none yet at {self._folder}"
        if Generations(self._folder).read_pointer().published is None:
            return f"none published yet at {self._folder}"
        store = EmbeddedStore(self._folder)
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
        """Return the folder, or its nearest existing parent."""
        folders = (self._folder.absolute(), *self._folder.absolute().parents)
        return next(folder for folder in folders if folder.exists())


def _measure_file(path: Path) -> int:
    """Return the bytes of a file; 0 for a link to a folder, or for a file that was just removed."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0
