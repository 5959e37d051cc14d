"""Archive-wide recall of the candidates over all transcripts, with a 30-day date filter and without.

The day of a draft counts in the last set of stages alone, which is tested against that without it.

    python -m benchmarks.candidates --data DATA --archive ARCHIVE

The archive is built first (it resumes and reuses what is there); paragraphs stand as the data set supplies
them. Rows without a transcript in their 30 days count as misses. Writes results/candidates.json.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import models_at, provenance, write
from embedded.store import EmbeddedStore
from reranker.fusion import STAGES, weighted
from reranker.models import Models
from rostrum.core.types import Filter
from rostrum.service.candidates import stages_of
from rostrum.training.archive import build
from rostrum.training.fit import candidates_of, is_quoted, thirty_days
from rostrum.training.metrics import order, permutation_test
from rostrum.training.pairs import Pair, pairs, transcripts

STAGE_SETS = {
    "lexical": ("lexical",),
    "dense": ("dense",),
    "lexical + document": ("lexical", "document"),
    "lexical + document + dense": ("lexical", "document", "dense"),
    "undated": tuple(stage for stage in STAGES if stage != "recency"),
    "all": STAGES,
}
DEPTHS = (10, 100)


def tell(count: int) -> None:
    """A line now and then."""
    if count % 50 == 0:
        print(f"{count} documents", file=sys.stderr)


def recalls(rows: list[Pair], store: EmbeddedStore, models: Models, recent: bool) -> dict[str, Any]:
    """Recall at 10 and 100 of each set of stages, with the fusion's weights, in percent.

    `p` is that of all stages against those which a draft without a day has.
    """
    hits: dict[str, dict[int, list[bool]]] = {name: {k: [] for k in DEPTHS} for name in STAGE_SETS}
    latencies = []
    for pair in rows:
        began = time.monotonic()
        found = candidates_of(pair, store, models, thirty_days(pair) if recent else Filter())
        latencies.append(time.monotonic() - began)
        stages = stages_of(found)
        for name, used in STAGE_SETS.items():
            weights = {s: models.fusion.candidates[s] if s in used else 0.0 for s in stages}
            ranked = order(weighted(stages, weights)).tolist() if found else []
            for k in DEPTHS:
                hits[name][k].append(any(is_quoted(found[i], pair) for i in ranked[:k]))
    return {
        "recall": {
            name: {f"@{k}": round(100 * float(np.mean(some)), 1) for k, some in by_depth.items()}
            for name, by_depth in hits.items()
        },
        "p": {
            f"@{k}": permutation_test(hits["all"][k], hits["undated"][k], [pair.document for pair in rows])
            for k in DEPTHS
        },
        "latency_s": {
            "p50": round(float(np.quantile(latencies, 0.5)), 4),
            "p95": round(float(np.quantile(latencies, 0.95)), 4),
        },
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--archive", type=Path, required=True, help="folder to build the archive in")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--rows", type=int, default=500, help="the first rows that are not repeated")
    given = parser.parse_args()
    models = models_at(given.models)
    built = build(given.data / "documents.jsonl.gz", given.archive, models, tell)
    store = EmbeddedStore(given.archive)
    known = transcripts(given.data / "documents.jsonl.gz")
    rows = pairs(given.data / f"pairs-{given.split}.jsonl.gz", known)[: given.rows]
    found_documents, found_paragraphs = store.count()
    result = {
        "split": given.split,
        "n": len(rows),
        "documents": found_documents,
        "paragraphs": found_paragraphs,
        "archive": {"encoded": built.encoded, "seconds": round(built.elapsed_s, 1)},
        "all": recalls(rows, store, models, recent=False),
        "30 days": recalls(rows, store, models, recent=True),
        **provenance(
            models, [given.data / f"pairs-{given.split}.jsonl.gz", given.data / "documents.jsonl.gz"]
        ),
    }
    write("candidates", result)


if __name__ == "__main__":
    main()
