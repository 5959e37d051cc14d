"""Plot how often sentences are evidence by their predicted probability, and compare the ranking with its
parts (model and BM25).

    python -m benchmarks.evidence_calibration --scores SCORES.jsonl.gz ... --models models

SCORES are those of `training.evidence_scores`. Writes `results/evidence-calibration.json` and
`docs/lab/evidence-calibration.svg`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.plots import draw_calibration
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.metrics import run_permutation_test
from reranker.evidence_calibration import EvidenceCalibration
from reranker.models.loaded import Models
from training.evidence_calibration import SETS, read_scores

BINS = 10
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "lab" / "evidence-calibration.svg"
Floats = NDArray[np.float64]


def compute_probabilities(row: dict[str, Any], calibration: EvidenceCalibration) -> Floats:
    """Return the probabilities of a claim's sentences."""
    return calibration.score(np.array(row["model"], np.float64), np.array(row["words"], np.float64))


def cut_bins(probabilities: Floats, labels: Floats) -> list[dict[str, float]]:
    """Return for each tenth of probability: sentences, mean probability, and share of evidence."""
    places = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return [
        {
            "n": int((places == at).sum()),
            "probability": round(float(probabilities[places == at].mean()), 4),
            "evidence": round(float(labels[places == at].mean()), 4),
        }
        for at in range(BINS)
        if (places == at).any()
    ]


def compute_error(bins: Sequence[dict[str, float]]) -> float:
    """Return the expected calibration error: the mean difference between predicted probability and measured
    share, weighted by the number of sentences.

    >>> compute_error([{"n": 4, "probability": 0.1, "evidence": 0.0}])
    0.1
    """
    total = sum(row["n"] for row in bins)
    return round(sum(row["n"] * abs(row["probability"] - row["evidence"]) for row in bins) / total, 4)


def compute_rank(scores: Floats, labels: Sequence[int]) -> float:
    """Return the reciprocal rank of the first evidence."""
    order = np.argsort(-scores, kind="stable")
    return float(1 / (1 + np.flatnonzero(np.array(labels)[order])[0]))


def compare_orders(rows: Sequence[dict[str, Any]], calibration: EvidenceCalibration) -> dict[str, Any]:
    """Return the MRR of the calibrated order, the model and BM25 alone, and p of the differences."""
    ranks = {
        "calibrated": [
            compute_rank(compute_probabilities(row, calibration), row["evidence"]) for row in rows
        ],
        "model": [compute_rank(np.array(row["model"], np.float64), row["evidence"]) for row in rows],
        "bm25": [compute_rank(np.array(row["words"], np.float64), row["evidence"]) for row in rows],
    }
    clusters = [str(row["document"]) for row in rows]
    p_values = {
        name: run_permutation_test(ranks["calibrated"], ranks[name], clusters) for name in ("model", "bm25")
    }
    return {
        "mrr": {name: round(float(np.mean(values)), 4) for name, values in ranks.items()},
        "p": p_values,
    }


def main() -> None:
    """Read the command line, and write figures and picture."""
    parser = make_parser(__doc__)
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path, required=True)
    options = parser.parse_args()
    models = Models(options.models)
    rows = [row for row in read_scores(options.scores) if row["set"] in SETS and "model" in row]
    figures: dict[str, Any] = {}
    for kind in SETS:
        for split in ("dev", "test"):
            chosen = [row for row in rows if (row["set"], row["split"]) == (kind, split)]
            probabilities = np.concatenate([compute_probabilities(row, models.calibration) for row in chosen])
            labels = np.concatenate([np.array(row["evidence"], np.float64) for row in chosen])
            bins = cut_bins(probabilities, labels)
            figures[f"{kind} {split}"] = {
                "claims": len(chosen),
                "sentences": len(labels),
                "error": compute_error(bins),
                "bins": bins,
                **compare_orders(chosen, models.calibration),
            }
    lines = {
        f"{name}, n = {row['claims']}": [
            (item["probability"], item["evidence"]) for item in row["bins"] if item["n"] >= 5
        ]
        for name, row in figures.items()
    }
    draw_calibration(PICTURE, lines, "probability", "share of sentences that are evidence")
    write("evidence-calibration", {**figures, **record_provenance(models, [])})


if __name__ == "__main__":
    main()
