"""Where an archive is kept, as an operator sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Site(Protocol):
    """A folder or a cluster. `place` names it."""

    @property
    def place(self) -> str:
        """What a person calls it: a path, an address."""

    def size_bytes(self) -> int:
        """How much the archive takes; 0 where there is none yet."""

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """What is to be checked, by name: each says what was found, or raises what is wrong."""
