"""Record the inputs of a long computation in its folder, so that the same work is resumed and other work is
refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rostrum_core.errors import BadInput
from rostrum_core.whole_files import write_json


def claim(path: Path, made_of: dict[str, Any]) -> None:
    """Record the inputs of the work in a folder, or check that they are the same as before.

    The first call writes the inputs to the file `path` of the folder. Later calls compare `made_of` with this
    file.

    `made_of` is JSON: hashes of files, hyper-parameters, seeds.

    Raises:
        BadInput: if the work there was begun with other inputs, or the file cannot be read.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, made_of)
        return
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error
    there, now = dict(_flatten(values)), dict(_flatten(made_of))
    if other := sorted(name for name in {*there, *now} if there.get(name) != now.get(name)):
        raise BadInput(f"{path.parent} holds work of another {', '.join(other)}: name another folder")


def _flatten(values: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested dictionaries with their paths: {"a": {"b": 1}} gives ("a.b", 1)."""
    if not isinstance(values, dict):
        yield name, values
        return
    for key, value in values.items():
        yield from _flatten(value, f"{name}.{key}" if name else key)
