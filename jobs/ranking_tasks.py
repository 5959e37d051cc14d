"""Split the ranking of texts into tasks, and join their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import batches
from rostrum_core.ports import Runner
from rostrum_core.types import Placing, Span, Tokens
from workers.runner.payloads import join_placings, join_tokens

SPECIAL_TOKENS = 2  # [CLS] and [SEP] of each paragraph


@dataclass(frozen=True, eq=False)
class Judged:
    """The ranker's results for n texts: logits float64 (n,) and the best span of each."""

    model: NDArray[np.float64]
    span: NDArray[np.float64]
    spans: tuple[Span, ...]


def judge(
    runner: Runner,
    query: NDArray[np.int32],
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    placings: Sequence[Placing | None],
    *,
    batch_tokens: int,
    timeout_s: float,
) -> Judged:
    """Rank n >= 1 texts for a draft, which is given as `WordPieces.query` ids.

    `placings` say where the draft already quotes a text. `batch_tokens` is what the ranker computes in one
    pass.

    Raises:
        TaskError: the work did not come back in time, or not all of it.
        ModelError: the models cannot be loaded.
    """
    cuts = parts(tokens, batch_tokens)
    payloads = [
        {
            "query": query,
            "texts": [texts[i] for i in cut],
            "tokens": join_tokens([tokens[i] for i in cut]),
            "placings": join_placings([placings[i] for i in cut]),
        }
        for cut in cuts
    ]
    return judged_of(runner.run("rank", payloads, timeout_s=timeout_s), cuts)


def parts(tokens: Sequence[Tokens], batch_tokens: int) -> list[list[int]]:
    """Return the indices of the texts that each task ranks: one batch of the whole ranking per task.

    So the parts depend on the texts only, not on the workers, and cost as much as the whole. The deadline
    is checked between two parts.
    """
    return batches([len(found) + SPECIAL_TOKENS for found in tokens], batch_tokens)


def judged_of(answers: Sequence[Any], cuts: Sequence[Sequence[int]]) -> Judged:
    """Join the results of the task `rank` for each of the `cuts`, in the order of the texts."""
    whole = {name: np.concatenate([answer[name] for answer in answers]) for name in answers[0]}
    order = np.argsort(np.concatenate([np.array(cut) for cut in cuts]))
    bounds, scores = whole["spans"][order], whole["span_scores"][order].astype(np.float64)
    spans = tuple(
        Span(int(start), int(end), float(score)) for (start, end), score in zip(bounds, scores, strict=True)
    )
    return Judged(whole["scores"][order].astype(np.float64), scores, spans)
