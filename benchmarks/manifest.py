"""Writes the figures that `benchmarks.quality` measured into the manifest of the shipped models.

python -m benchmarks.manifest
"""

from __future__ import annotations

import json

from benchmarks.provenance import identity
from benchmarks.render import result
from reranker.files import MANIFEST
from reranker.models import Models
from rostrum.core.errors import ModelError
from rostrum.service.shipped import shipped
from rostrum.training.evaluation import manifest_figures


def main() -> None:
    """Command line of the script."""
    models = Models(shipped("models"))
    results = [result(f"quality-{split}") for split in ("dev", "test")]
    for each in results:
        engine = each["models"]["engine"]
        if each["models"] != {**identity(models), "engine": engine}:
            raise ModelError(f"quality-{each['split']} is of other models: run benchmarks.quality first")
    told = {**models.manifest.told, "figures": {each["split"]: manifest_figures(each) for each in results}}
    (models.manifest.folder / MANIFEST).write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
