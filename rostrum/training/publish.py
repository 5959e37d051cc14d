"""Writes the manifest of a folder of models: the hash of every file, and how they were made.

python -m rostrum.training.publish --models MODELS --name NAME --data DATA --base BASE --quality RESULT ...
"""

from __future__ import annotations

import argparse
import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reranker.weights import FILES, MANIFEST, sha256
from rostrum.training import encoder, ranker
from rostrum.training.evaluation import manifest_figures

SOURCES = ("documents.jsonl.gz", "news-quotes.jsonl.gz", "pairs-dev.jsonl.gz", "pairs-train.jsonl.gz")


def manifest(models: Path, name: str, data: Path, base: Path, figures: dict[str, Any]) -> dict[str, Any]:
    """What the manifest says; raises `ModelError` where a file is missing."""
    return {
        "name": name,
        "base": {"name": "all-MiniLM-L6-v2", "licence": "Apache-2.0",
                 "sha256": sha256(base / "model.safetensors")},
        "recipe": {"encoder": asdict(encoder.Recipe()), "ranker": asdict(ranker.Recipe())},
        "data": {source: sha256(data / source) for source in SOURCES},
        "commit": _commit(),
        "figures": figures,
        "files": {file: sha256(models / file) for file in FILES},
    }  # fmt: skip


def _commit() -> str:
    """The commit that this runs from; empty outside a checkout."""
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"],  # noqa: S607
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()


def main() -> None:
    """Command line of the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--models", type=Path, required=True, help="folder of the models")
    parser.add_argument("--name", required=True, help="what these models are called")
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--base", type=Path, required=True, help="Hugging Face BERT folder")
    parser.add_argument(
        "--quality", type=Path, nargs="*", default=[], help="results of benchmarks.quality, one a split"
    )
    given = parser.parse_args()
    results = [json.loads(path.read_text("utf-8")) for path in given.quality]
    figures = {result["split"]: manifest_figures(result) for result in results}
    told = manifest(given.models, given.name, given.data, given.base, figures)
    (given.models / MANIFEST).write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
