"""Read a training recipe (hyper-parameters) from a TOML file.

The keys of the file are the fields of a dataclass.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from rostrum_core.errors import BadInput

JobRecipe = TypeVar("JobRecipe")


def read_job_recipe(kind: type[JobRecipe], path: Path, changes: Sequence[str] = ()) -> JobRecipe:
    """Return the recipe in a TOML file as a `kind`; a field that the file lacks keeps its default.

    `kind` is a dataclass. `changes` are assignments `name=value` in TOML, which override the file.

    Raises:
        BadInput: if the file cannot be read, or has an unknown name or a value of another type.
    """
    try:
        parsed = tomllib.loads(path.read_text("utf-8"))
        parsed |= tomllib.loads("\n".join(changes))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is not a readable recipe: {error}") from error
    try:
        return parse_job_recipe(kind, parsed)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def parse_job_recipe(kind: type[JobRecipe], parsed: dict[str, Any]) -> JobRecipe:
    """Build a recipe of the dataclass `kind` from the names and values of a TOML file.

    Raises:
        BadInput: if a name is unknown, or a value has another type than the field's default.
    """
    defaults = {item.name: item.default for item in fields(kind)}  # type: ignore[arg-type]
    values = {}
    for name, value in parsed.items():
        if name not in defaults:
            raise BadInput(f"unknown name {name!r}; known names are {', '.join(defaults)}")
        if isinstance(defaults[name], float) and type(value) is int:
            value = float(value)
        if type(value) is not type(defaults[name]):
            raise BadInput(f"{name}: expected {type(defaults[name]).__name__}, got {value!r}")
        values[name] = value
    return kind(**values)
