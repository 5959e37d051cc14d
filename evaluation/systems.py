"""Score the paragraphs of a transcript with each system that the evaluation compares.

The systems are BM25, the encoder and the ranker alone, weighted sums of signals, and Rostrum's final ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaluation.judging import JudgedRow
from reranker.fusion import FusionWeights, fuse_late, sum_weighted
from reranker.signals.length import measure_lengths

Floats = NDArray[np.float64]
SYSTEMS = ("bm25", "dense", "ranker", "fusion", "first_stage", "model")
"""Systems to compare.

These are BM25, the encoder and the ranker alone; BM25 and encoder fused; the first stage with quotations and
neighbours; and the product.
"""

PARTS = (
    "lexical",
    "dense",
    "follows",
    "begun",
    "announced",
    "retold",
    "fresh",
    "names",
    "around",
    "length",
    "model",
    "span",
)
"""Signals of the merged answer within a transcript."""


def score_systems(row: JudgedRow, paragraphs: Sequence[str], weights: FusionWeights) -> dict[str, Floats]:
    """Compute the scores (n,) that each system in `SYSTEMS` gives to the n paragraphs of a transcript."""
    stages = list_first_stages(row)
    plain = {stage: weights.within[stage] if stage in ("lexical", "dense") else 0.0 for stage in stages}
    return {
        "bm25": np.array([score or 0.0 for score in row.lexical]),  # 0 for a text without any query word
        "dense": row.dense,
        "ranker": row.model,
        "fusion": sum_weighted(stages, plain),
        "first_stage": sum_weighted(stages, weights.within),
        "model": merge_scores(row, paragraphs, weights),
    }


def merge_scores(row: JudgedRow, paragraphs: Sequence[str], weights: FusionWeights) -> Floats:
    """Compute the final scores of a transcript's paragraphs, (n,), as the product does.

    Document scores are left out, because there is only one document.
    """
    rest = sum_weighted(list_merged_scores(row, paragraphs), weights.paragraph)
    return fuse_late(row.model, row.span, rest, weights)


def list_merged_scores(row: JudgedRow, paragraphs: Sequence[str]) -> dict[str, Sequence[float | None]]:
    """Return the scores of the paragraphs by each signal that is combined with the ranker, (n,) each.

    The weights of the signals are fitted to these scores, and the figures are computed from them.
    """
    return {**list_first_stages(row), "length": measure_lengths(paragraphs).tolist()}


def leave_out(weights: FusionWeights, part: str) -> FusionWeights:
    """Return the weights without one signal of the final ranking: the weight of `part` becomes 0.

    `part` is one of `PARTS`.
    """
    if part == "model":
        return replace(weights, model=0.0)
    if part == "span":
        return replace(weights, alpha=0.0)
    return replace(weights, paragraph={**weights.paragraph, part: 0.0})


def list_first_stages(row: JudgedRow) -> dict[str, Sequence[float | None]]:
    """Return the scores of n paragraphs by each signal that needs no ranker, such as BM25: (n,) each."""
    return {
        "lexical": row.lexical,
        "dense": row.dense.tolist(),
        "follows": row.follows.tolist(),
        "around": row.around,
        **{name: column.tolist() for name, column in row.worded.items()},
    }
