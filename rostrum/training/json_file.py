"""Small files of JSON that a kill leaves as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_json(path: Path, told: dict[str, Any]) -> None:
    """Writes the file whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    part.replace(path)
