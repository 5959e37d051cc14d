"""The manifest of models: the hash of every file, and how they were made."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reranker.weights import FILES, sha256
from rostrum.training.data import sources
from rostrum.training.recipe import Recipe

CHECKOUT = Path(__file__).parents[2]


def origin(base: Path, data: Path, recipe: Recipe) -> dict[str, Any]:
    """What decides a training: base and data by their hashes, and the recipe with its seeds.

    Raises:
        BadInput: the base has no weights or no tokenizer.
    """
    return {
        "base": {"name": base_name(base), "sha256": sha256(base / "model.safetensors"),
                 "tokenizer": sha256(base / "tokenizer.json")},
        "recipe": asdict(recipe),
        "data": {path.name: sha256(path) for path in sources(data)},
    }  # fmt: skip


def base_name(base: Path) -> str:
    """What the base calls itself, else the name of its folder."""
    try:
        told = json.loads((base / "config.json").read_text("utf-8"))
        return str(told.get("_name_or_path") or base.resolve().name)
    except (OSError, ValueError, AttributeError):
        return base.resolve().name


def manifest(models: Path, name: str, made_of: dict[str, Any], figures: dict[str, Any]) -> dict[str, Any]:
    """What the manifest of a folder of models says; `made_of` is its `origin`.

    Raises:
        ModelError: a file is missing.
    """
    return {
        "name": name,
        **made_of,
        "version": version("rostrum"),
        "commit": commit(),
        "figures": figures,
        "files": {file: sha256(models / file) for file in FILES},
    }


def commit() -> str:
    """The commit that this runs from; empty outside a checkout of Rostrum."""
    if not (CHECKOUT / ".git").exists():
        return ""
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"],  # noqa: S607
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()
