"""Check names of archives, and locate archives by name.

The main archive has no name. A further, small archive has a name, such as "articles", and is stored in the
folder of the main archive. On a cluster, it is stored next to the main archive.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from rostrum_core.errors import BadInput
from rostrum_core.settings import Settings

NAMED = "named"
"""Folder of the named archives, inside the folder of the main archive."""

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
KINDS = ("documents", "paragraphs")
"""Kinds of indices of an archive on a cluster, such as `rostrum-documents-000001` of the main archive."""


def check_name(name: str, *, field: str = "name") -> str:
    """Return the name of an archive if it is valid, or raise an error about the parameter `field`.

    >>> check_name("press-2026")
    'press-2026'

    Raises:
        BadInput: the name cannot be used for folders and indices on all systems.
    """
    if not NAME.fullmatch(name):
        message = (
            f"{name!r} names no archive: use up to 64 of a-z, 0-9, _ and -, beginning with a letter or digit"
        )
        raise BadInput(message, field=field)
    return name


def locate_archive(settings: Settings, name: str) -> Path:
    """Return the folder of a named archive, whether it exists or not.

    >>> locate_archive(Settings(archive=Path("speeches")), "press").as_posix()
    'speeches/named/press'

    Raises:
        BadInput: the name is invalid.
    """
    return settings.archive / NAMED / check_name(name)


def choose_archive(settings: Settings, name: str | None) -> Settings:
    """Return settings that use the archive `name` instead of the main one.

    If `name` is `None`, return the settings unchanged.

    >>> chosen = choose_archive(Settings(archive=Path("speeches")), "press")
    >>> chosen.archive.as_posix(), chosen.opensearch_prefix
    ('speeches/named/press', 'rostrum-press-')

    Raises:
        BadInput: the name is invalid.
    """
    if name is None:
        return settings
    prefix = f"{settings.opensearch_prefix}{name}-"
    return replace(settings, archive=locate_archive(settings, name), opensearch_prefix=prefix)


def list_archives(settings: Settings) -> list[str]:
    """Return the sorted names of the archives that are stored inside the folder of the main archive."""
    folder = settings.archive / NAMED
    inside = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name for path in inside if path.is_dir() and NAME.fullmatch(path.name))
