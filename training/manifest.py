"""Write the manifest of a folder of models: the hash of every file, and the models' origin."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evaluation.data import list_sources
from reranker.models.files import FILES
from reranker.models.weights import Manifest, hash_file
from training.recipe import Recipe

CHECKOUT = Path(__file__).parents[1]
KNOWN_BASES = {
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db": {
        "name": "all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
    }
}
"""Names of bases by the SHA-256 of their weights, because the name in a base's own files may differ."""


def describe_origin(
    base: Path, data: Path, recipe: Recipe, teacher: Manifest | None = None, kept: Manifest | None = None
) -> dict[str, Any]:
    """Describe the inputs of a training: hashes of base, data and reused models, and the recipe with seeds.

    The base is the model from which the training starts. It is named after its folder, unless it is one of
    `KNOWN_BASES`. `teacher` and `kept` are the manifests of reused models. With `kept`, no encoder is
    trained, because the encoder of these models is reused. The recipe's section `encoder` is then the one
    with which that encoder was trained, except for the number of layers. The entry `kept_encoder` names the
    models for which the encoder was trained, and their data.

    Raises:
        ModelError: if the base has no weights or no tokenizer.
    """
    weights = hash_file(base / "model.safetensors")
    known_base = KNOWN_BASES.get(weights, {"name": base.resolve().name})
    values = asdict(recipe)
    taken_over: dict[str, Any] = {} if teacher is None else {"teacher": teacher.hashes["ranker"]}
    if kept is not None:
        trained = kept.content.get("kept_encoder", kept.content)  # they may have kept it themselves
        theirs = kept.content.get("recipe", {}).get("encoder", {})
        values["encoder"] = {**theirs, "layers": recipe.encoder.layers}
        taken_over["kept_encoder"] = {
            "name": trained.get("name", kept.name),
            "hash": kept.hashes["encoder"],
            "commit": trained.get("commit", ""),
            "data": trained.get("data", {}),
        }
    return {
        **taken_over,
        "base": {**known_base, "sha256": weights, "tokenizer": hash_file(base / "tokenizer.json")},
        "recipe": values,
        "data": {path.name: hash_file(path) for path in list_sources(data)},
    }


def make_manifest(
    models: Path, name: str, made_of: dict[str, Any], figures: dict[str, Any]
) -> dict[str, Any]:
    """Build the manifest of a folder of models; `made_of` is the result of `describe_origin`.

    Raises:
        ModelError: if a file is missing.
    """
    return {
        "name": name,
        **made_of,
        "version": version("rostrum-quotes"),
        "commit": commit(),
        "figures": figures,
        "files": {file: hash_file(models / file) for file in FILES},
    }


def commit() -> str:
    """Return the git commit of the running code; "" outside a checkout of Rostrum, or without git."""
    if not (CHECKOUT / ".git").exists() or shutil.which("git") is None:
        return ""
    response = subprocess.run(
        ["git", "rev-parse", "HEAD"],  # noqa: S607
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    return response.stdout.strip()
