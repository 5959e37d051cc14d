"""Compare the product's evidence model with the models of the thesis, on test claims.

    python -m benchmarks.baselines.evidence --data EVIDENCE --models models --runs RUNS
        [--sets debater scifact] [--systems NAME ...] [--seeds 7 8] [--claims 120] [--report REPORT]

Systems of "Why did they cite that?" (thesis, 2018): pairwise ranking and a BiRNN over a document's sentences,
with and without attention (`evidence_networks`), and the best ten by sentence vectors, reordered by the
pairwise network. Further systems: BM25, and the shipped encoder without training. `model` is the product's,
`product` its order with BM25. A run, `RUNS/SET/SYSTEM@SEED.jsonl`, stores the scores of the sentences of each
test claim; an interrupted script resumes from it. REPORT, the `evidence.json` of the product's training, can
replace a run of `model`, because it lists pairwise accuracy and reciprocal rank of each test claim.
`--claims` is the number of test claims to sample from each set. Writes `results/evidence-baselines.json` from
all the runs of RUNS.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines.evidence_networks import (
    BATCH,
    HIDDEN,
    STEPS,
    Row,
    Scorer,
    Texts,
    train_network,
)
from benchmarks.provenance import load_models, record_provenance, write
from benchmarks.script import make_parser
from evaluation.metrics import run_permutation_test
from jobs.evidence.lexical import score_words
from reranker.models.loaded import Models
from rostrum_core.whole_files import write_json
from training.evidence import judge_ranking
from training.evidence_calibration import read_merits
from training.evidence_rows import read_arrays, read_wice
from training.evidence_scores import score_claim

TOP = 10
DRAWN_BY = 7  # the seed that puts the test claims in order
FIGURES = ("pairwise", "mrr", "p@1", "p@3", "r@5", "ndcg@10")
LEARNED = {
    "pairwise": ("pairwise", False),
    "pairwise attention": ("pairwise", True),
    "document": ("document", False),
    "document attention": ("document", True),
}
PLAIN = ("bm25", "model", "encoder")
SETS = ("scifact", "debater", "wice", "wice with context")
TESTED = ("pairwise", "mrr", "p@3", "ndcg@10")
OURS = ("model", "product")
Floats = NDArray[np.float32]


def score_by_words(row: Row) -> Floats:
    """Return the BM25 of the sentences."""
    return np.array(score_words(row["claim"], row["sentences"]), np.float32)


def score_by_model(row: Row, models: Models) -> Floats:
    """Return the logits of the product's model; a sentence without a word gets the lowest logit."""
    logits = np.array(score_claim(row, models)["model"], np.float32)
    logits[~np.isfinite(logits)] = np.min(logits[np.isfinite(logits)], initial=0.0)
    return logits


def score_by_vectors(row: Row, models: Models) -> Floats:
    """Return the cosine between the vectors of each sentence and of the claim, by the shipped encoder."""
    vectors = np.stack([item.vector for item in models.encoder.encodings(row["sentences"])])
    claim = models.encoder.encode_query(models.wordpieces.tokenise_query("", row["claim"]))
    return np.asarray(vectors @ claim, np.float32)


def keep_top(cosines: Floats, scores: Floats) -> Floats:
    """Return scores that rank the ten sentences with the highest cosines first, in the order of `scores`, and
    the others after them, by cosine.

    >>> keep_top(np.array([0.9, 0.1], np.float32), np.array([0.0, 5.0], np.float32)).tolist()
    [2.0, 3.0]
    """
    kept = np.argsort(-cosines, kind="stable")[:TOP]
    result = cosines.astype(np.float32).copy()
    span = float(scores.max() - scores.min()) or 1.0
    result[kept] = 2 + (scores[kept] - scores.min()) / span
    return result


def read_claims(data: Path, tokenizer: Path, runs: Path) -> list[Row]:
    """Return the claims of all sets with the sentences of their documents, which are split once and saved in
    `RUNS/claims.json`.
    """
    kept = runs / "claims.json"
    if not kept.exists():
        claims = read_arrays(data, tokenizer).list_claims() + read_wice(data, tokenizer)
        runs.mkdir(parents=True, exist_ok=True)
        write_json(kept, {"claims": claims})
    rows: list[Row] = json.loads(kept.read_text("utf-8"))["claims"]
    return rows


def select_claims(claims: Sequence[Row], kind: str, most: int) -> list[Row]:
    """Return at most `most` test claims of a set, in a random order that a seed determines.

    `at` is a claim's index in the set.
    """
    rows = [row for row in claims if (row["set"], row["split"]) == (kind, "test")]
    rows = [{**row, "at": at} for at, row in enumerate(rows)]
    random.Random(DRAWN_BY).shuffle(rows)
    return rows[:most]


def read_run(path: Path) -> list[list[float]]:
    """Return the scores that a run has, claim by claim; skip a line that is incomplete because the script was
    killed.
    """
    if not path.exists():
        return []
    return [
        json.loads(line) for line in path.read_text("utf-8").splitlines(keepends=True) if line[-1] == "\n"
    ]


def extend_run(path: Path, rows: Sequence[Row], make_scorer: Callable[[], Scorer]) -> None:
    """Compute the scores of the claims that a run lacks, and add them to it."""
    kept = read_run(path)
    if len(kept) >= len(rows):
        return
    scorer = make_scorer()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(scores) + "\n" for scores in kept)
        for row in rows[len(kept) :]:
            lines.write(json.dumps([round(float(score), 4) for score in scorer(row)]) + "\n")
            lines.flush()


def judge_run(
    rows: Sequence[Row], runs: Sequence[Sequence[Sequence[float]]]
) -> dict[str, NDArray[np.float64]]:
    """Return the figures of each claim, the mean over the runs of several seeds."""
    judged: dict[str, list[list[float]]] = defaultdict(list)
    for run in runs:
        figures = [
            judge_ranking(np.array(scores, np.float32), np.array(row["evidence"], bool))
            for row, scores in zip(rows, run, strict=False)
        ]
        for name in FIGURES:
            judged[name].append([item[name] for item in figures])
    return {name: np.mean(np.array(values), axis=0) for name, values in judged.items()}


def list_runs(folder: Path, models: Models, rows: Sequence[Row]) -> dict[str, list[list[list[float]]]]:
    """Return the runs of a set by system, with the order of the product and that of the best ten."""
    runs: dict[str, list[list[list[float]]]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl")):
        runs[path.stem.split("@")[0]].append(read_run(path))
    if {"model", "bm25"} <= set(runs):
        words = models.calibration.words
        pairs = zip(runs["model"][0], runs["bm25"][0], strict=False)
        runs["product"] = [[read_merits({"model": a, "words": b}, words).tolist() for a, b in pairs]]
    if "encoder" in runs:
        runs["best ten, then pairwise"] = [
            [
                keep_top(np.array(a, np.float32), np.array(b, np.float32)).tolist()
                for a, b in zip(runs["encoder"][0], run, strict=False)
            ]
            for run in runs.get("pairwise", ())
        ]
    return {name: kept for name, kept in runs.items() if kept and min(map(len, kept)) >= len(rows)}


def read_report(path: Path | None, kind: str, rows: Sequence[Row]) -> dict[str, NDArray[np.float64]]:
    """Return the product's figures for each claim from the report of its training; empty without a report."""
    if path is None:
        return {}
    figures = json.loads(path.read_text("utf-8"))["trained"].get(f"{kind} test", {})
    places = [row["at"] for row in rows]
    listed = {name: figures.get(f"{name} of each") for name in FIGURES}
    return {name: np.array(values)[places] for name, values in listed.items() if values}


def compare(
    rows: Sequence[Row],
    runs: dict[str, list[list[list[float]]]],
    report: dict[str, NDArray[np.float64]],
) -> dict[str, Any]:
    """Return the mean figures of each system, and p of its differences from the product.

    Claims about one document are permuted together.
    """
    clusters = [str(row["document"]) for row in rows]
    judged = {name: judge_run(rows, kept) for name, kept in runs.items()}
    if report:
        judged.setdefault("model", report)
    figures: dict[str, Any] = {}
    for name, values in judged.items():
        figures[name] = {figure: round(float(kept.mean()), 4) for figure, kept in values.items()}
        figures[name]["seeds"] = len(runs.get(name, [0]))
        if name not in OURS:
            for ours in OURS:
                figures[name] |= compare_figures(ours, judged.get(ours, {}), values, clusters)
    sentences = round(float(np.mean([len(row["sentences"]) for row in rows])), 1)
    return {"n": len(rows), "documents": len(set(clusters)), "sentences": sentences, "systems": figures}


def compare_figures(
    ours: str,
    mine: dict[str, NDArray[np.float64]],
    theirs: dict[str, NDArray[np.float64]],
    clusters: Sequence[str],
) -> dict[str, dict[str, float]]:
    """Return p of the differences in the figures that both have."""
    p_values = {
        figure: round(run_permutation_test(mine[figure].tolist(), theirs[figure].tolist(), clusters), 4)
        for figure in TESTED
        if figure in mine
    }
    return {f"p of {ours}": p_values} if p_values else {}


def make_runs(
    kind: str, claims: Sequence[Row], rows: Sequence[Row], models: Models, options: argparse.Namespace
) -> None:
    """Make the runs of the chosen systems for a set; WiCE has nothing to learn from."""
    scorers: dict[str, Scorer] = {
        "bm25": score_by_words,
        "model": partial(score_by_model, models=models),
        "encoder": partial(score_by_vectors, models=models),
    }
    folder, texts = options.runs / kind, Texts(models)
    for name in options.systems:
        if name in scorers:
            extend_run(folder / f"{name}.jsonl", rows, partial(scorers.get, name))  # type: ignore[arg-type]
        elif not kind.startswith("wice"):
            train, dev = (
                [row for row in claims if (row["set"], row["split"]) == (kind, split)]
                for split in ("train", "dev")
            )
            network, attends = LEARNED[name]
            for seed in options.seeds:
                print(kind, name, seed, flush=True)
                make = partial(train_network, network, train, dev, texts, seed, attends=attends)
                extend_run(folder / f"{name}@{seed}.jsonl", rows, make)


def main() -> None:
    """Read the command line, make the runs that are missing, compare, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--claims", type=int, default=120)
    parser.add_argument("--sets", nargs="+", default=SETS[:2], choices=SETS)
    parser.add_argument("--systems", nargs="*", default=[*PLAIN, *LEARNED], choices=[*PLAIN, *LEARNED])
    parser.add_argument("--seeds", type=int, nargs="+", default=[7])
    parser.add_argument("--report", type=Path, help="evidence.json of the product's training")
    options = parser.parse_args()
    models = load_models(options.models)
    claims = read_claims(options.data, options.models / "tokenizer.json", options.runs)
    chosen = {kind: select_claims(claims, kind, options.claims) for kind in options.sets}
    for kind, rows in chosen.items():
        make_runs(kind, claims, rows, models, options)
    figures = {
        kind: compare(
            rows,
            list_runs(options.runs / kind, models, rows),
            read_report(options.report, kind, rows),
        )
        for kind, rows in chosen.items()
    }
    learning = {"steps": STEPS, "batch": BATCH, "hidden": HIDDEN, "seeds": options.seeds}
    data = sorted(options.data.glob("*.gz"))
    write("evidence-baselines", {**figures, "learning": learning, **record_provenance(models, data)})


if __name__ == "__main__":
    main()
