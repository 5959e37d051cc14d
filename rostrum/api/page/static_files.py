"""Name styles and scripts by their contents, so that browsers may cache them for ever."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

PACKAGE: Final = "rostrum.api.page"
TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """Hold a file of `static/`: the name under which it is served, its media type and its bytes."""

    name: str
    media_type: str
    data: bytes


@cache
def read_static_files() -> dict[str, StaticFile]:
    """Read the files of the folder `static/`; return them by their names in the folder."""
    return {
        item.name: _read(item.name, item.read_bytes()) for item in files(PACKAGE).joinpath("static").iterdir()
    }


def name_asset(name: str) -> str:
    """Return the address of a style or script, which changes whenever the contents of the file change.

    Raises:
        KeyError: there is no such file.
    """
    return f"/static/{read_static_files()[name].name}"


def find_static_file(served_name: str) -> StaticFile | None:
    """Return the style or script that is served by this name; `None` if nothing has this name."""
    return next((item for item in read_static_files().values() if item.name == served_name), None)


def _read(name: str, data: bytes) -> StaticFile:
    stem, _, suffix = name.rpartition(".")
    digest = hashlib.sha256(data).hexdigest()[:12]
    return StaticFile(f"{stem}.{digest}.{suffix}", TYPES[suffix], data)
