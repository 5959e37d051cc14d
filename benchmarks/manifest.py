"""Write the figures that `benchmarks.quality` measured to the manifest of the shipped models.

python -m benchmarks.manifest
"""

from __future__ import annotations

from archive.shipped_files import locate_shipped
from benchmarks.provenance import identify_models
from benchmarks.render import read_result
from benchmarks.script import make_parser
from evaluation.evaluate import select_manifest_figures
from reranker.models.files import MANIFEST
from reranker.models.loaded import Models
from rostrum_core.errors import ModelError
from rostrum_core.whole_files import write_json


def main() -> None:
    """Run the command line of the script."""
    make_parser(__doc__).parse_args()
    models = Models(locate_shipped("models"))
    results = [read_result(f"quality-{split}") for split in ("dev", "test")]
    for result in results:
        engine = result["models"]["engine"]
        if result["models"] != {**identify_models(models), "engine": engine}:
            raise ModelError(f"quality-{result['split']} is of other models: run benchmarks.quality first")
    values = {
        **models.manifest.content,
        "figures": {result["split"]: select_manifest_figures(result) for result in results},
    }
    write_json(models.manifest.folder / MANIFEST, values)


if __name__ == "__main__":
    main()
