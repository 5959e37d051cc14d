"""The examples of docs/formats.md: files, and what the page says is read from each."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
EXAMPLE = re.compile(r"^```(\w+) (\S+)\n(.*?)^```\n\n```json\n(.*?)^```", re.DOTALL | re.MULTILINE)
SUFFIXES = re.compile(r"^## .*\((`\.[^)]*)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    kind: str
    name: str
    content: bytes
    read: list[dict[str, Any]]


EXAMPLES = [
    Example(kind, name, content.encode(), json.loads(read))
    for kind, name, content, read in EXAMPLE.findall(PAGE)
]
HEADED = {suffix for found in SUFFIXES.findall(PAGE) for suffix in re.findall(r"`(\.\w+)`", found)}
