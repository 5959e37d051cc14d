"""The systems that are compared within a transcript: single stages, their fusion, and all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import FusionWeights, late_fusion, sum_weighted
from reranker.signals.length import measure_lengths
from rostrum.evaluation.judging import JudgedRow

Floats = NDArray[np.float64]
SYSTEMS = ("bm25", "dense", "ranker", "fusion", "first_stage", "model")
"""BM25, the encoder, the ranker, each alone; BM25 and encoder fused, the first stage (and quotations and
neighbours), the product."""

PARTS = ("lexical", "dense", "follows", "around", "length", "model", "span")
"""What the merged answer is made of within a transcript."""


def score_systems(row: JudgedRow, paragraphs: Sequence[str], weights: FusionWeights) -> dict[str, Floats]:
    """Scores (n,) of the paragraphs by each of `SYSTEMS`."""
    stages = list_first_stages(row)
    plain = {stage: weights.within[stage] if stage in ("lexical", "dense") else 0.0 for stage in stages}
    return {
        "bm25": np.array([score or 0.0 for score in row.lexical]),  # of a text without any query word: 0
        "dense": row.dense,
        "ranker": row.model,
        "fusion": sum_weighted(stages, plain),
        "first_stage": sum_weighted(stages, weights.within),
        "model": merge_scores(row, paragraphs, weights),
    }


def merge_scores(row: JudgedRow, paragraphs: Sequence[str], weights: FusionWeights) -> Floats:
    """What the product orders the paragraphs by: (n,). Scores of their one document are left out."""
    rest = sum_weighted(list_merged_scores(row, paragraphs), weights.paragraph)
    return late_fusion(row.model, row.span, rest, weights)


def list_merged_scores(row: JudgedRow, paragraphs: Sequence[str]) -> dict[str, Sequence[float | None]]:
    """What the ranker's scores are merged with: (n,) each. The fit and the figures both take it from here."""
    return {**list_first_stages(row), "length": measure_lengths(paragraphs).tolist()}


def leave_out(weights: FusionWeights, part: str) -> FusionWeights:
    """The weights with one of `PARTS` left out of the merged answer."""
    if part == "model":
        return replace(weights, model=0.0)
    if part == "span":
        return replace(weights, alpha=0.0)
    return replace(weights, paragraph={**weights.paragraph, part: 0.0})


def list_first_stages(row: JudgedRow) -> dict[str, Sequence[float | None]]:
    """Scores of the first stages: (n,) each."""
    return {
        "lexical": row.lexical,
        "dense": row.dense.tolist(),
        "follows": row.follows.tolist(),
        "around": row.around,
    }
