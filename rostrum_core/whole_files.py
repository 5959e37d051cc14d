"""Files that are written whole or not at all: a kill leaves what was there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` when the block ends without an error."""
    part = path.with_name(f"{path.name}.part")
    yield part
    part.replace(path)


def write_json(path: Path, told: dict[str, Any]) -> None:
    """Writes the file whole or not at all."""
    with replace_file(path) as part:
        part.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
