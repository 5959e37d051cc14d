"""Split the ranking of texts into tasks for workers, and join their results."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import pack_batches
from rostrum_core.ports import Runner
from rostrum_core.types import Placing, Span, Tokens
from workers.runner.payloads import join_placings, join_tokens

SPECIAL_TOKENS = 2  # [CLS] and [SEP] of each paragraph
TASK_TOKENS = 2048
"""Most padded tokens per task, unless one batch has more.

Several workers can so share the paragraphs of a draft.
"""


@dataclass(frozen=True, eq=False)
class RankerResults:
    """Hold the ranker's results for n texts: a score and the best span (the words worth quoting) of each
    text.

    `model` has the scores of the texts as logits, float64 (n,). `spans` has the best span of each text, and
    `span` the scores of these spans, float64 (n,). If `is_ranked` is false for a text, its logit is an
    estimate, its best span is empty, and its span score is the lowest one of the ranked texts. `engines` name
    the engines that computed the results; workers of older versions do not report their engine.
    """

    model: NDArray[np.float64]
    span: NDArray[np.float64]
    spans: tuple[Span, ...]
    is_ranked: NDArray[np.bool_]
    engines: tuple[str, ...] = ()


def judge(
    runner: Runner,
    query: NDArray[np.int32],
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    placings: Sequence[Placing | None],
    *,
    batch_tokens: int,
    timeout_s: float,
) -> RankerResults:
    """Rank n >= 1 texts for a draft on the workers, and return the scores and best spans of all texts.

    `query` has the draft's token ids, from `WordPieces.tokenise_query`. `placings` give, for each text, its
    distance from words of the same speech that the draft already quotes; `None` if there are no such words.
    `batch_tokens` is the number of tokens that the ranker computes in one pass.

    Raises:
        TaskError: the results did not come back in time, or some are missing.
        ModelError: the models cannot be loaded.
    """
    cuts = split_tasks(tokens, batch_tokens)
    payloads = [
        {
            "query": query,
            "texts": [texts[i] for i in cut],
            "tokens": join_tokens([tokens[i] for i in cut]),
            "placings": join_placings([placings[i] for i in cut]),
        }
        for cut in cuts
    ]
    return join_results(runner.run("rank", payloads, timeout_s=timeout_s), cuts)


def judge_best(
    runner: Runner,
    query: NDArray[np.int32],
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    placings: Sequence[Placing | None],
    choose: Callable[[NDArray[np.float64]], Sequence[int]],
    *,
    batch_tokens: int,
    timeout_s: float,
) -> RankerResults:
    """Estimate the scores of n >= 1 texts, then rank only the texts that `choose` selects.

    `choose` maps the estimates (n,) to the indices of the texts to rank. The estimates come from the ranker's
    early head, which reads only the first layers.

    Raises:
        TaskError: the results did not come back in time, or some are missing.
        ModelError: the models cannot be loaded, or have no early head.
    """
    began = time.monotonic()
    estimates = estimate(runner, query, tokens, batch_tokens=batch_tokens, timeout_s=timeout_s)
    chosen = sorted(choose(estimates))
    judged = judge(
        runner,
        query,
        [texts[i] for i in chosen],
        [tokens[i] for i in chosen],
        [placings[i] for i in chosen],
        batch_tokens=batch_tokens,
        timeout_s=timeout_s - (time.monotonic() - began),
    )
    return _widen(judged, chosen, estimates)


def _widen(judged: RankerResults, chosen: Sequence[int], estimates: NDArray[np.float64]) -> RankerResults:
    """Return results for all texts: the ranker's for the ranked texts, and the estimates for the others.

    `judged` are the results of the ranked texts, and `chosen` the indices of these texts in `estimates`.
    """
    least = float(judged.span.min())
    is_ranked, model, span = np.zeros(len(estimates), bool), estimates.copy(), np.full(len(estimates), least)
    spans = [Span(0, 0, least)] * len(estimates)
    is_ranked[chosen], model[chosen], span[chosen] = True, judged.model, judged.span
    for i, best in zip(chosen, judged.spans, strict=True):
        spans[i] = best
    return RankerResults(model, span, tuple(spans), is_ranked, judged.engines)


def estimate(
    runner: Runner,
    query: NDArray[np.int32],
    tokens: Sequence[Tokens],
    *,
    batch_tokens: int,
    timeout_s: float,
) -> NDArray[np.float64]:
    """Estimate the scores of n >= 1 texts: float64 (n,), on the scale of `RankerResults.model`.

    The estimates come from the ranker's early head, which reads only the first layers.

    Raises:
        TaskError: the results did not come back in time, or some are missing.
        ModelError: the models cannot be loaded, or have no early head.
    """
    cuts = split_tasks(tokens, batch_tokens)
    payloads = [{"query": query, "tokens": join_tokens([tokens[i] for i in cut])} for cut in cuts]
    answers = runner.run("estimate", payloads, timeout_s=timeout_s)
    order = np.argsort(np.concatenate([np.array(cut) for cut in cuts]))
    estimates: NDArray[np.float64] = np.concatenate([a["scores"] for a in answers])[order].astype(np.float64)
    return estimates


def split_tasks(tokens: Sequence[Tokens], batch_tokens: int) -> list[list[int]]:
    """Split texts into tasks for workers, and return for each task the indices of its texts.

    The split depends on the texts only, not on the number of workers. Tasks consist of whole batches (texts
    that the ranker computes in one pass), so the results are the same as without a split. The deadline is
    checked between two tasks.
    """
    lengths = [len(pieces) + SPECIAL_TOKENS for pieces in tokens]
    tasks: list[list[int]] = []
    size = 0
    for batch in pack_batches(lengths, batch_tokens):
        padded = len(batch) * lengths[batch[-1]]
        if tasks and size + padded <= TASK_TOKENS:
            tasks[-1] += batch
            size += padded
        else:
            tasks.append(batch)
            size = padded
    return tasks


def join_results(answers: Sequence[Any], cuts: Sequence[Sequence[int]]) -> RankerResults:
    """Join the results of several ranking tasks into the results of all texts, in the order of the texts.

    `cuts` has the indices of the texts of each task, as `split_tasks` returns them.
    """
    arrays = ("scores", "spans", "span_scores")
    whole = {name: np.concatenate([answer[name] for answer in answers]) for name in arrays}
    order = np.argsort(np.concatenate([np.array(cut) for cut in cuts]))
    bounds, scores = whole["spans"][order], whole["span_scores"][order].astype(np.float64)
    spans = tuple(
        Span(int(start), int(end), float(score)) for (start, end), score in zip(bounds, scores, strict=True)
    )
    engines = tuple(sorted({answer["engine"] for answer in answers if "engine" in answer}))
    return RankerResults(
        whole["scores"][order].astype(np.float64), scores, spans, np.ones(len(spans), bool), engines
    )
