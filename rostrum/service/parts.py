"""How the ranking of a draft's candidates is cut into tasks, and joined again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.batches import BATCH_TOKENS, batches
from rostrum.core.types import Candidate, Span

SPECIAL_TOKENS = 2  # [CLS] and [SEP] of each paragraph


@dataclass(frozen=True, eq=False)
class Judged:
    """What the ranker says of n candidates: logits float64 (n,) and the best span of each."""

    model: NDArray[np.float64]
    span: NDArray[np.float64]
    spans: tuple[Span, ...]


def parts(found: Sequence[Candidate]) -> list[list[int]]:
    """Indices of the candidates that each task ranks: one batch of those that the whole would be ranked in.

    So they depend on the candidates only, not on the workers, and cost together what the whole does. A part
    is what is done between two looks at the deadline.
    """
    return batches([len(c.tokens) + SPECIAL_TOKENS for c in found], BATCH_TOKENS)


def judged_of(answers: Sequence[Any], cuts: Sequence[Sequence[int]]) -> Judged:
    """The answers of the task `rank` to each of the `cuts`, joined in the order of the candidates."""
    joined = {name: np.concatenate([answer[name] for answer in answers]) for name in answers[0]}
    order = np.argsort(np.concatenate([np.array(cut) for cut in cuts]))
    bounds, scores = joined["spans"][order], joined["span_scores"][order].astype(np.float64)
    spans = tuple(
        Span(int(start), int(end), float(score)) for (start, end), score in zip(bounds, scores, strict=True)
    )
    return Judged(joined["scores"][order].astype(np.float64), scores, spans)
