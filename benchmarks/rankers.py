"""The product's one pass against the paper's two models with full attention: same layers, same candidates.

    python -m benchmarks.rankers --data DATA --base BERT_FOLDER

Needs the extra `train`. Speed does not depend on what was learned, so the two models are the base with new
heads. All run on one engine in the same process and take turns, so that a burst of noise falls on each.
WordPieces of paragraphs are made before, as the archive keeps them; a draft is tokenised within the time.
Writes results/rankers.json.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open

from benchmarks.baselines.full_attention import FullAttention
from benchmarks.baselines.full_graph import export, load
from benchmarks.provenance import provenance, write
from benchmarks.ranking_requests import Request, requests
from reranker.engines import Engine
from reranker.models import Models
from reranker.ranker import Ranker
from reranker.wordpieces import WordPieces

OURS, ONE, TWO = "Rostrum, one pass", "full attention, one model", "full attention, two models"


Rank = Callable[[Request], object]


def by(rankers: Sequence[Ranker], pieces: WordPieces) -> Rank:
    """Ranks with each of the models, one after the other."""

    def rank(request: Request) -> None:
        query = pieces.query(request.draft.title, request.draft.left)
        for ranker in rankers:
            ranker.rank(query, request.texts, request.tokens)

    return rank


def layers_of(models: Path) -> int:
    """How many layers the product's ranker has."""
    with safe_open(models / "ranker.safetensors", "np") as opened:
        return len({name.split(".")[2] for name in opened.keys() if name.startswith("trunk.layers.")})  # noqa: SIM118


def measured(systems: dict[str, Rank], asked: Sequence[Request], rounds: int) -> dict[str, Any]:
    """Milliseconds a draft, and how many times the product's they are."""
    took: dict[str, list[float]] = {name: [] for name in systems}
    for rank in systems.values():
        rank(asked[0])
    for request in [*asked] * rounds:
        for name, rank in systems.items():
            began = time.monotonic()
            rank(request)
            took[name].append(1000 * (time.monotonic() - began))
    ratios = {name: [a / b for a, b in zip(times, took[OURS], strict=True)] for name, times in took.items()}
    return {
        name: {
            "p50_ms": round(statistics.median(times), 1),
            "least_ms": round(min(times), 1),
            "ratio": round(statistics.median(ratios[name]), 2),
        }
        for name, times in took.items()
    }


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
    models, layers = Models(given.models, engine), layers_of(given.models)
    pieces = models.wordpieces
    asked = requests(given.data, given.drafts, given.candidates, given.seed, pieces)
    with tempfile.TemporaryDirectory() as folder:
        export(FullAttention(given.base, layers, pieces.body_start).eval(), Path(folder))
        full = [load(Path(folder), pieces, engine) for _ in range(2)]
    systems = {OURS: by([models.ranker], pieces), ONE: by(full[:1], pieces), TWO: by(full, pieces)}
    told = {name: getattr(given, name) for name in ("drafts", "candidates", "rounds", "threads", "seed")}
    result = {**told, "engine": f"{given.engine} {given.precision}", "layers": layers}
    sources = [given.data / "pairs-dev.jsonl.gz", given.data / "documents.jsonl.gz"]
    write(
        "rankers",
        {**result, "systems": measured(systems, asked, given.rounds), **provenance(models, sources)},
    )


if __name__ == "__main__":
    main()
