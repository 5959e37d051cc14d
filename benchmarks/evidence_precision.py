"""Compare the evidence model in the precision that this processor gets with float32, row by row.

    python -m benchmarks.evidence_precision --data EVIDENCE [--most 60]

For claims of dev: how often evidence scores above another sentence of its document when all is read by all
layers, and the reciprocal rank of the first evidence in the order that is shown, where passages leave early.
For stances of dev: the macro-F1. A measure passes if it is at least `LEAST_SHARE` of float32's. `--most`
limits the claims of a set to a random sample. Writes results/evidence-precision.json.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.metrics import run_permutation_test
from jobs.evidence.job import Ranker
from jobs.evidence.passages import join_sentences
from reranker.models.engines import Engine, resolve_engine
from reranker.models.evidence import STANCES
from reranker.models.loaded import Models
from rostrum_core.evidence import Claim
from training.evidence_rows import read_arrays
from training.evidence_scores import draw, score_claim, score_stance
from workers.runner.inline import InlineRunner

SETS, STANCE_SETS = ("debater", "scifact"), ("scifact", "citations")
LEAST_SHARE, TIMEOUT_S = 0.995, 600.0
Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """Hold the figures of the claims of a set, (n,) each."""

    pairwise: Floats
    reciprocal_rank: Floats


def compute_pairwise(scores: Floats, evidence: NDArray[np.bool_]) -> float:
    """Return how often a sentence that is evidence scores above one that is not; equal scores count half.

    >>> compute_pairwise(np.array([2.0, 1.0, 0.0]), np.array([True, False, True]))
    0.5
    """
    differences = scores[evidence][:, None] - scores[~evidence][None]
    return float(np.mean((np.sign(differences) + 1) / 2))


def compute_rank(row: dict[str, Any], models: Models, ranker: Ranker) -> float:
    """Return the reciprocal rank of the first evidence in the order that is shown, or 0."""
    passages = join_sentences("", row["sentences"], models.wordpieces)
    claim = Claim(row["claim"], title=row["title"])
    ranked = ranker.rank(claim, passages, limit=10, timeout_s=TIMEOUT_S)
    marks = [row["evidence"][sentence.number] for sentence in ranked]
    return 1 / (1 + marks.index(True)) if True in marks else 0.0


def judge_claims(rows: Sequence[dict[str, Any]], models: Models) -> Judged:
    """Return the figures of claims that have evidence and other sentences."""
    runner = InlineRunner(lambda: models)
    ranker = Ranker(runner, models.calibration, models.engine.batch_tokens, "evidence_early" in models.hashes)
    pairwise, ranks = [], []
    for number, row in enumerate(rows):
        scores = np.array(score_claim(row, models)["model"], np.float64)
        pairwise.append(compute_pairwise(scores, np.array(row["evidence"], bool)))
        ranks.append(compute_rank(row, models, ranker))
        print(models.engine, number, len(rows), end="\r")
    return Judged(np.array(pairwise), np.array(ranks))


def judge_stances(rows: Sequence[dict[str, Any]], models: Models) -> list[str]:
    """Return the most likely stance of each row."""
    shares = [score_stance(row, models)["shares"] for row in rows]
    return [STANCES[int(np.argmax(row))] for row in shares]


def compute_macro_f1(guesses: Sequence[str], labels: Sequence[str]) -> float:
    """Return the mean F1 of the labels that occur.

    >>> round(compute_macro_f1(["a", "a", "b"], ["a", "b", "b"]), 3)
    0.667
    """
    guess, truth = np.array(guesses), np.array(labels)
    hits = {label: int(((guess == label) & (truth == label)).sum()) for label in np.unique(truth)}
    return float(
        np.mean([2 * hit / int((guess == one).sum() + (truth == one).sum()) for one, hit in hits.items()])
    )


def compare(candidate: Floats, reference: Floats, documents: Sequence[str]) -> dict[str, Any]:
    """Compare the figures of two precisions, claim by claim; claims of one document depend on each other."""
    share = float(candidate.mean() / reference.mean())
    return {
        "n": len(reference),
        "float32": round(float(reference.mean()), 4),
        "candidate": round(float(candidate.mean()), 4),
        "share": round(share, 4),
        "rows that differ": int((candidate != reference).sum()),
        "p": round(run_permutation_test(candidate.tolist(), reference.tolist(), list(documents)), 4),
        "passed": share >= LEAST_SHARE,
    }


def compare_claims(rows: Sequence[dict[str, Any]], every: Sequence[Models]) -> dict[str, Any]:
    """Compare the claims of one set."""
    rows = [row for row in rows if 0 < sum(row["evidence"]) < len(row["evidence"])]
    candidate, reference = (judge_claims(rows, models) for models in every)
    documents = [str(row["document"]) for row in rows]
    return {
        name: compare(getattr(candidate, name), getattr(reference, name), documents)
        for name in Judged._fields
    }


def compare_stances(rows: Sequence[dict[str, Any]], every: Sequence[Models]) -> dict[str, Any]:
    """Compare the stances of one set."""
    labels = [row["stance"] for row in rows]
    candidate, reference = (judge_stances(rows, models) for models in every)
    figures = [compute_macro_f1(guesses, labels) for guesses in (candidate, reference)]
    return {
        "n": len(rows),
        "float32": round(figures[1], 4),
        "candidate": round(figures[0], 4),
        "share": round(figures[0] / figures[1], 4),
        "rows that differ": sum(a != b for a, b in zip(candidate, reference, strict=True)),
        "passed": figures[0] >= LEAST_SHARE * figures[1],
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    engines = (resolve_engine("cpu", "openvino", None, 0), Engine("openvino", "float32"))
    every = [Models(options.models, engine) for engine in engines]
    arrays = read_arrays(options.data, options.models / "tokenizer.json")
    claims = [row for row in arrays.list_claims() if row["split"] == "dev"]
    stances = [row for row in arrays.stance_rows if row["split"] == "dev"]
    began = time.process_time()
    result = {
        "claims": {name: compare_claims(draw(claims, [name], options.most), every) for name in SETS},
        "stances": {name: compare_stances(draw(stances, [name], None), every) for name in STANCE_SETS},
        "least share": LEAST_SHARE,
        "processor s": round(time.process_time() - began, 1),
    }
    write("evidence-precision", {**result, **record_provenance(every[0], [])})


if __name__ == "__main__":
    main()
