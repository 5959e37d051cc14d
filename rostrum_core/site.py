"""Describe to an operator where an archive is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Site(Protocol):
    """Describe the folder or cluster of an archive."""

    @property
    def place(self) -> str:
        """Return where the archive is, to show to users: a folder's path, or a cluster's address."""

    def size_bytes(self) -> int:
        """Return the size of the archive in bytes; 0 if it does not exist yet."""

    def free_bytes(self) -> int | None:
        """Return the free bytes where the archive is stored; `None` if unknown."""

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """Return functions that check the archive, by name of the check.

        Each function returns its findings as text, or raises an error.
        """
