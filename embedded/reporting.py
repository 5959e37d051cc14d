"""Convert errors of files and of SQLite to `StoreError`, whose message names the archive's folder.

SQLite's own messages do not name it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from rostrum_core.errors import StoreError

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Item = TypeVar("Item")


class InFolder(Protocol):
    """Describe the objects whose methods `translate_method` can decorate: they have files in `_folder`."""

    _folder: Path


Store = TypeVar("Store", bound=InFolder)


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Raise `StoreError` instead of an error of files or of SQLite inside a `with` block.

    >>> with translate_errors(Path("speeches")):
    ...     raise sqlite3.OperationalError("disk I/O error")
    Traceback (most recent call last):
    rostrum_core.errors.StoreError: the archive cannot be read or written: speeches: disk I/O error
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the archive cannot be read or written: {folder}: {error}") from error


def translate_method(
    method: Callable[Concatenate[Store, Arguments], Answer],
) -> Callable[Concatenate[Store, Arguments], Answer]:
    """Decorate a method so that it raises `StoreError` instead of an error of files or of SQLite."""

    @wraps(method)
    def translate(kept: Store, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        with translate_errors(kept._folder):
            return method(kept, *arguments, **named)

    return translate


def translate_items(folder: Path, items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and raise `StoreError` if reading them raises an error of files or of SQLite."""
    with translate_errors(folder):
        yield from items
