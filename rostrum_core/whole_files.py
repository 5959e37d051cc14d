"""Write files atomically: if the process is killed, the previous content remains."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; rename it to `path` if the block ends without an error."""
    part = path.with_name(f"{path.name}.part")
    yield part
    part.replace(path)


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write a dict to a JSON file atomically."""
    with replace_file(path) as part:
        part.write_text(json.dumps(values, indent=2) + "\n", "utf-8")
