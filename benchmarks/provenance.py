"""Record the provenance of every result: commit, machine, data, models."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

from reranker.models.files import FUSION
from reranker.models.loaded import Models
from reranker.models.weights import hash_file
from rostrum_core.settings import read_settings

RESULTS = Path(__file__).parent / "results"
CODE = ("*.py", "*.toml", "*.txt", "models")  # parts of the repository that determine figures


def record_provenance(models: Models | None, data: list[Path]) -> dict[str, Any]:
    """Return commit, processor, cores, hashes of data files, and those of the models, if any.

    `uncommitted` marks code that differs from the commit.
    """
    values = {
        "commit": _run_command(["git", "rev-parse", "HEAD"]),
        "uncommitted": bool(_run_command(["git", "status", "--porcelain", "--", *CODE])),
        "machine": {
            "processor": _read_processor(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "data": {path.name: hash_file(path)[:16] for path in data},
    }
    if models is None:
        return values
    return {**values, "models": identify_models(models)}


def load_models(folder: Path) -> Models:
    """Load the models of a folder, computed as set by `ROSTRUM_ENGINE` and `ROSTRUM_PRECISION`."""
    from rostrum.assemble import open_models  # not at the top: it imports all that the service needs

    settings = replace(read_settings(dict(os.environ)), models=folder)
    return open_models(settings, threads=settings.threads)


def identify_models(models: Models) -> dict[str, str]:
    """Return the identity of models: their name, the hashes of all parts, and their engine."""
    hashes, engine = models.hashes, models.engine
    return {
        "name": models.manifest.name,
        "encoder": hashes["encoder"],
        "ranker": hashes["ranker"],
        "tokenizer": hashes["tokenizer"],
        "fusion": models.manifest.hash_of(FUSION),
        "engine": f"{engine.name} {engine.precision}",
    }


def write(name: str, result: dict[str, Any]) -> None:
    """Write `results/NAME.json`."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(f"wrote benchmarks/results/{path.name}")


def _run_command(command: list[str]) -> str:
    root = Path(__file__).resolve().parents[1]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()


def _read_processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()
