"""Describe the place of an archive to an operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Site(Protocol):
    """Describe a folder or a cluster. `place` names it."""

    @property
    def place(self) -> str:
        """The place as a person names it: a path, an address."""

    def size_bytes(self) -> int:
        """Return the size of the archive in bytes; 0 if it does not exist yet."""

    def free_bytes(self) -> int | None:
        """Return the free bytes where the archive is kept; `None` if that cannot be learned."""

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """Return the checks by name; each returns its findings as text, or raises the fault."""
