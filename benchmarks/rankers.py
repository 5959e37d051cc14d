"""The product's one pass against the paper's two models with full attention: same layers, same candidates.

    python -m benchmarks.rankers --data DATA --base BERT_FOLDER

Needs the extra `train`. Speed does not depend on what was learned, so the two models are the base with new
heads. All run on one engine in the same process and take turns.
Writes results/rankers.json.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.baselines.full_attention import FullAttention
from benchmarks.baselines.full_graph import export, load
from benchmarks.provenance import provenance, write
from benchmarks.ranking_times import ranker_layers, ranking_by, requests, times
from reranker.models.engines import Engine
from reranker.models.loaded import Models

OURS, ONE, TWO = "Rostrum, one pass", "full attention, one model", "full attention, two models"


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument(
        "--base", type=Path, required=True, help="Hugging Face BERT folder of the product's width"
    )
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--drafts", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--engine", default="onnxruntime", choices=["onnxruntime", "openvino"])
    parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16"])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    engine = Engine(given.engine, given.precision, given.threads)
    models, layers = Models(given.models, engine), ranker_layers(given.models)
    pieces = models.wordpieces
    asked = requests(given.data, given.drafts, given.candidates, given.seed, pieces)
    with tempfile.TemporaryDirectory() as folder:
        export(FullAttention(given.base, layers, pieces.body_start).eval(), Path(folder))
        full = [load(Path(folder), pieces, engine) for _ in range(2)]
    systems = {
        OURS: ranking_by([models.ranker], pieces),
        ONE: ranking_by(full[:1], pieces),
        TWO: ranking_by(full, pieces),
    }
    told = {name: getattr(given, name) for name in ("drafts", "candidates", "rounds", "threads", "seed")}
    result = {**told, "engine": f"{given.engine} {given.precision}", "layers": layers}
    sources = [given.data / "pairs-dev.jsonl.gz", given.data / "documents.jsonl.gz"]
    write(
        "rankers",
        {**result, "systems": times(systems, asked, given.rounds, OURS), **provenance(models, sources)},
    )


if __name__ == "__main__":
    main()
