"""What it is worth to rank more paragraphs, and what it costs: quality and time by their number.

    python -m benchmarks.ranked --data DATA --judged JUDGED

The first stage orders all paragraphs of the source transcript; the first k are ranked, and come before the
rest, which stays in that order. Times are of the ranker alone, on the default engine, over k paragraphs drawn
from all transcripts. Writes results/ranked-dev.json.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import models_at, provenance, write
from benchmarks.quality import tell
from benchmarks.ranking_times import requests
from reranker.fusion import FusionWeights
from reranker.models.loaded import Models
from rostrum.evaluation.fit import row_of
from rostrum.evaluation.judging import judged_file, judged_rows
from rostrum.evaluation.metrics import permutation_test
from rostrum.evaluation.pairs import pairs, transcripts
from rostrum.evaluation.score_table import Floats, ScoreTable

COUNTS = (0, 10, 20, 30, 50, 100)
DRAFTS, ROUNDS = 5, 3


def first_ranked(table: ScoreTable, weights: FusionWeights, count: int) -> Floats:
    """Scores (rows, longest): the first `count` of the first stage in the answer's order, then the rest."""
    first, answer = table.summed(weights.within), table.fused(weights)
    places = np.argsort(np.argsort(-first, axis=1, kind="stable"), axis=1)
    ahead = 1 + first.max() - answer[np.isfinite(answer)].min()
    scores: Floats = np.where(places < count, answer + ahead, first)
    return scores


def milliseconds(models: Models, data: Path, count: int, seed: int) -> float:
    """Median time to rank `count` paragraphs for a draft."""
    took = []
    for request in requests(data, DRAFTS, count, seed, models.wordpieces) * ROUNDS:
        began = time.monotonic()
        query = models.wordpieces.query(request.draft.title, request.draft.left)
        models.ranker.rank(query, request.texts, request.tokens)
        took.append(1000 * (time.monotonic() - began))
    return round(statistics.median(took[1:]), 1)  # the first is warm-up


def measured(judged_by: Models, timed: Models, data: Path, keep: Path, seed: int) -> dict[str, Any]:
    """Figures by how many paragraphs are ranked; `judged_by` has judged what is in the folder `keep`."""
    sources = [data / "pairs-dev.jsonl.gz", data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    judged = judged_rows(
        judged_file(keep, judged_by, *sources), pairs(sources[0], documents), documents, judged_by, tell
    )
    table = ScoreTable([row_of(row, documents[row.pair.document].paragraphs) for row in judged])
    speeches = [row.pair.document for row in judged]
    whole = table.precisions(table.fused(judged_by.fusion)).tolist()

    def row(scores: Floats) -> dict[str, Any]:
        precisions = table.precisions(scores).tolist()
        mean = round(100 * float(np.mean(precisions)), 2)
        return {"map": mean, "p": permutation_test(precisions, whole, speeches)}

    found = {
        str(count): {
            **row(first_ranked(table, judged_by.fusion, count)),
            "ms": milliseconds(timed, data, count, seed) if count else 0.0,
        }
        for count in COUNTS
    }
    return {
        "split": "dev",
        "n": len(judged),
        "ranked": {**found, "all": row(table.fused(judged_by.fusion))},
        "timed": f"{timed.engine.name} {timed.engine.precision}",
        **provenance(judged_by, sources),
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--judged", type=Path, required=True, help="folder that keeps what was judged")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    judged_by, timed = models_at(given.models), Models(given.models)
    write("ranked-dev", measured(judged_by, timed, given.data, given.judged, given.seed))


if __name__ == "__main__":
    main()
