"""Fit the calibration that converts the scores of sentences to probabilities of being evidence, on the dev
split, and add it to a folder of models.

    python -m training.evidence_calibration --scores scores.jsonl.gz ... --data EVIDENCE --models models

A sentence's merit is the model's logit plus a weight times the BM25 score of the sentence for the claim. This
weight is chosen from a list: the one with the best mean reciprocal rank (MRR) on dev, averaged over the sets
debater and scifact. A logistic regression then converts merits to probabilities. It is fitted to the labels
(evidence or not) of the sentences in both sets; the two sets have the same total weight.

Fixed rules, which are not trained, compare a claim with the clause of a text that matches it best. The
calibration also contains two shares, counted on the stances of scifact in train and dev. The first says how
often a text supports a claim if this clause agrees with the claim. The second says how often a text
contradicts a claim if this clause differs from the claim.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from jobs.evidence.clauses import match_clause
from reranker.evidence_calibration import EvidenceCalibration, compute_features
from reranker.models.files import CALIBRATION, MANIFEST
from reranker.models.weights import hash_file
from rostrum_core.whole_files import write_json
from training.evidence_rows import read_arrays

Floats = NDArray[np.float64]
SETS = ("debater", "scifact")
WORDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
PENALTY = 1e-3  # of the squared weights, so that few claims do not set them
PRIOR = 2.0  # imagined pairs, half of them right, when a share of few pairs is estimated


def read_scores(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return all rows of the files that `training.evidence_scores` wrote."""
    rows = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    return rows


def read_merits(row: dict[str, Any], words: float) -> Floats:
    """Return the merit of each sentence for a claim: the model's logit plus BM25 times the weight `words`.

    A sentence without any word has no logit. It gets the lowest logit of the other sentences, but at most 0.
    """
    logits = np.array(row["model"], np.float64)
    logits[~np.isfinite(logits)] = np.min(logits[np.isfinite(logits)], initial=0.0)
    return np.asarray(logits + words * np.array(row["words"]), np.float64)


def choose_words(rows: Sequence[dict[str, Any]]) -> float:
    """Choose the weight of BM25 in the merit (total score) of a sentence: the one with the best MRR.

    The MRR is that of the evidence (see `compute_mrr`). If several weights are equally good, return the
    smallest.
    """
    return max(WORDS, key=lambda words: (round(compute_mrr(rows, words), 6), -words))


def compute_mrr(rows: Sequence[dict[str, Any]], words: float) -> float:
    """Return the mean reciprocal rank (MRR) of the best-ranked evidence of each claim.

    A row has the sentences of one claim. They are ranked by merit (see `read_merits`); `words` is the weight
    of BM25 in the merit. The MRR is computed for each set of claims, and then averaged over the sets.
    """
    means = []
    for name in sorted({row["set"] for row in rows}):
        ranks = []
        for row in rows:
            if row["set"] == name:
                order = np.argsort(-read_merits(row, words), kind="stable")
                ranks.append(1 / (1 + np.flatnonzero(np.array(row["evidence"])[order])[0]))
        means.append(np.mean(ranks))
    return float(np.mean(means))


def fit(rows: Sequence[dict[str, Any]]) -> EvidenceCalibration:
    """Fit all weights of a calibration on scored sentences with labels (evidence or not), and return it."""
    words = choose_words(rows)
    totals = {name: sum(len(row["model"]) for row in rows if row["set"] == name) for name in SETS}
    x = np.concatenate([compute_features(read_merits(row, words)) for row in rows])
    y = np.concatenate([np.array(row["evidence"], np.float64) for row in rows])
    w = np.concatenate([np.full(len(row["model"]), 1 / totals[row["set"]]) for row in rows])

    def compute_loss(numbers: Floats) -> float:
        total = x @ numbers[:-1] + numbers[-1]
        likelihood = np.logaddexp(0, total) - y * total
        return float((w * likelihood).sum() + PENALTY * (numbers[:-1] ** 2).sum())

    bounds = [(0.0, None), (0.0, None), (None, None), (None, None)]
    best = minimize(compute_loss, np.array([0.5, 0.5, -0.5, -1.0]), bounds=bounds).x
    return EvidenceCalibration(words, *(round(float(number), 4) for number in best))


def count_stances(calibration: EvidenceCalibration, stances: Sequence[dict[str, Any]]) -> EvidenceCalibration:
    """Return the calibration with the shares of texts whose stance a comparison of clauses gets right.

    If a clause of the text agrees with the claim, the comparison gives "supports". If the clause differs
    ("The sanctions were not lifted" from "The sanctions were lifted"), it gives "contradicts". `stances` has
    claims and texts with their true stances.
    """
    right = {"supports": PRIOR / 2, "contradicts": PRIOR / 2}
    counted = {"supports": PRIOR, "contradicts": PRIOR}
    for row in stances:
        match = match_clause(row["claim"], row["text"])
        if match is not None and match.coverage >= calibration.coverage:
            stance = "contradicts" if match.differs else "supports"
            counted[stance] += 1
            right[stance] += row["stance"] == stance
    agreement, contradiction = (round(right[name] / counted[name], 3) for name in right)
    return replace(calibration, agreement=agreement, contradiction=contradiction)


def write_calibration(calibration: EvidenceCalibration, models: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the calibration to `calibration.json` in `models`, and that file's hash to the manifest."""
    claims = {name: sum(row["set"] == name for row in rows) for name in SETS}
    write_json(models / CALIBRATION, {**asdict(calibration), "fitted_on": {"split": "dev", "claims": claims}})
    manifest = json.loads((models / MANIFEST).read_text("utf-8"))
    manifest["files"][CALIBRATION] = hash_file(models / CALIBRATION)
    write_json(models / MANIFEST, manifest)


def main() -> None:
    """Read the command line, fit, and write the calibration."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--models", type=Path, required=True)
    options = parser.parse_args()
    rows = [row for row in read_scores(options.scores) if row.get("split") == "dev" and row["set"] in SETS]
    rows = [row for row in rows if "model" in row]
    arrays = read_arrays(options.data, options.models / "tokenizer.json")
    stances = [row for row in arrays.stance_rows if row["set"] == "scifact" and row["split"] != "test"]
    calibration = count_stances(fit(rows), stances)
    write_calibration(calibration, options.models, rows)
    print(calibration)


if __name__ == "__main__":
    main()
