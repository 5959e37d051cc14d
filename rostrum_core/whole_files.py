"""Write files atomically: if the process is killed, the previous content remains."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; rename it to `path` if the block ends without an error.

    If the block raises an error, the temporary file is removed. If `path` is a symbolic link, it stays a
    link, and the file to which it points is replaced. If `path` is a device or a pipe, yield `path` itself.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f"{target.name}.part")
    try:
        yield part
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write a dict to a JSON file atomically."""
    with replace_file(path) as part:
        part.write_text(json.dumps(values, indent=2) + "\n", "utf-8")
