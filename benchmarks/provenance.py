"""What every result says of itself: commit, machine, data, models."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from reranker.models import Models
from reranker.weights import sha256

RESULTS = Path(__file__).parent / "results"


def provenance(models: Models | None, data: list[Path]) -> dict[str, Any]:
    """Commit, processor, cores, hashes of data files, and of the models where some took part."""
    told = {
        "commit": _told(["git", "rev-parse", "HEAD"]),
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version()},
        "data": {path.name: sha256(path)[:16] for path in data},
    }
    if models is None:
        return told
    hashes = models.hashes
    named = {"name": models.manifest.name, "encoder": hashes.encoder, "ranker": hashes.ranker}
    return {**told, "models": named}


def write(name: str, result: dict[str, Any]) -> None:
    """Writes `results/NAME.json`."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(f"wrote benchmarks/results/{path.name}")


def _told(command: list[str]) -> str:
    root = Path(__file__).parent
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()
