"""Ranking and spans within the source transcript, on dev and test, with baselines and permutation tests.

    python -m benchmarks.quality --data DATA --split dev test

writes results/quality-dev.json and results/quality-test.json.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.provenance import provenance, write
from indexer.sentences import sentences
from reranker.fusion import FusionWeights
from reranker.models import Models
from rostrum.training.evaluation import (
    SYSTEMS,
    Tally,
    figures,
    sampled,
    span_figures,
    tally,
)
from rostrum.training.judging import JudgedRow, judge, judged_file, kept
from rostrum.training.metrics import permutation_test
from rostrum.training.pairs import pairs, transcripts

BASELINES = ("full paragraph", "first sentence")


def full_paragraph(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
    """The paragraphs as they are."""
    return " ".join(paragraphs[i] for i in sorted(ordinals))


def first_sentence(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
    """The first sentence of each paragraph."""
    texts = [paragraphs[i] for i in sorted(ordinals)]
    return " ".join(text[slice(*sentences(text)[0])] for text in texts if sentences(text))


def without_quotations(weights: FusionWeights) -> FusionWeights:
    """The same weights, but that BM25 and encoder are all that the first stage knows."""
    return replace(weights, within={**weights.within, "quoted": 0.0, "near": 0.0})


def tests(result: Tally, fusion: Sequence[float]) -> dict[str, Any]:
    """The p of every two systems on average precision, and of the spans against each baseline on F1."""
    ranking = {
        f"{a} / {b}": permutation_test(result.precisions[a], result.precisions[b])
        for a, b in combinations(SYSTEMS, 2)
    }
    ranking["fusion / model"] = permutation_test(list(fusion), result.precisions["model"])
    spans = {
        f"model / {baseline}, {setting}": permutation_test(
            [score for _, score in result.spans[f"model {setting}"]],
            [score for _, score in result.spans[f"{baseline} {setting}"]],
        )
        for baseline in BASELINES
        for setting in ("positive", "top")
    }
    return {"average_precision": ranking, "span_f1": spans, "test": "paired permutation, two-sided, 10,000"}


def measured(
    data: Path, split: str, models: Models, first: int | None, limit: int | None, seed: int, keep: Path | None
) -> dict[str, Any]:
    """All figures of one split; `keep` is a folder in which what was judged lies or will lie."""
    began = time.monotonic()
    sources = [data / f"pairs-{split}.jsonl.gz", data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    rows = sampled(pairs(sources[0], documents)[:first], limit, seed)
    if keep is None:
        judged = list(judge(rows, documents, models, tell))
    else:
        judged = kept(judged_file(keep, models, *sources), rows, documents, models, tell)
    cutters = {"full paragraph": full_paragraph, "first sentence": first_sentence}
    result = tally(judged, documents, models.fusion, cutters)
    plain = tally(judged, documents, without_quotations(models.fusion))
    found = figures(result)
    return {
        "split": split,
        "n": len(rows),
        "rows": {"first": first, "drawn": limit, "seed": seed},
        "paragraphs_per_draft": round(sum(len(j.dense) for j in judged) / len(judged), 1),
        "ranking": {**found["ranking"], "fusion": figures(plain)["ranking"]["first_stage"]},
        "spans": {
            name: {
                setting: span_figures(result.spans[f"{name} {setting}"]) for setting in ("positive", "top")
            }
            for name in ("model", *BASELINES)
        },
        "p_values": tests(result, plain.precisions["first_stage"]),
        "seconds": round(time.monotonic() - began, 1),
        **provenance(models, sources),
    }


def tell(done: int, of: int) -> None:
    """A line of progress on a terminal."""
    if sys.stderr.isatty() or done % 200 == 0 or done == of:
        print(f"{done} of {of} drafts", file=sys.stderr)


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", nargs="+", default=["dev", "test"])
    parser.add_argument("--first", type=int, help="the first rows that are not repeated, instead of all")
    parser.add_argument("--limit", type=int, help="draw so many of them")
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged between runs")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for split in given.split:
        models = Models(given.models)
        found = measured(given.data, split, models, given.first, given.limit, given.seed, given.judged)
        write(f"quality-{split}", found)


if __name__ == "__main__":
    main()
