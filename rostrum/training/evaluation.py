"""Evaluates the shipped models in the paper's setting: all paragraphs of the source transcript compete.

Rows are judged by the product's own parts (see `rostrum.training.judging`), and fused as the product fuses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.align.transcripts import Transcript
from reranker.fusion import FusionWeights, late_fusion, lengths, weighted
from reranker.models import Models
from rostrum.training.judging import JudgedRow, judge
from rostrum.training.metrics import (
    average_precision,
    exact_match,
    f1,
    found_at,
    order,
    permutation_test,
)
from rostrum.training.pairs import Pair, pairs, transcripts

Floats = NDArray[np.float64]
Cutter = Callable[[JudgedRow, Sequence[int], Sequence[str]], str]
SYSTEMS = ("bm25", "dense", "first_stage", "model")


def system_scores(row: JudgedRow, paragraphs: Sequence[str], weights: FusionWeights) -> dict[str, Floats]:
    """Scores (n,) of the paragraphs by each of `SYSTEMS`; the scores of their one document are left out."""
    stages = {"lexical": row.lexical, "dense": row.dense.tolist(), "near": row.near.tolist()}
    rest = weighted({**stages, "length": lengths(paragraphs)}, weights.paragraph)
    bm25 = np.array([score or 0.0 for score in row.lexical])  # BM25 of a text without any query word is 0
    return {
        "bm25": bm25,
        "dense": row.dense,
        "first_stage": weighted(stages, weights.within),
        "model": late_fusion(row.model, row.span, rest, weights),
    }


def quoted_text(row: JudgedRow, paragraphs: Sequence[str]) -> str:
    """The quoted words of the transcript, the parts of several paragraphs joined."""
    return " ".join(paragraphs[p.ordinal][p.start_char : p.end_char] for p in row.pair.parts)


def span_text(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
    """The spans of these paragraphs, in the transcript's order, joined."""
    return " ".join(paragraphs[i][row.spans[i].start_char : row.spans[i].end_char] for i in sorted(ordinals))


@dataclass
class Tally:
    """Figures row by row, so that means and paired tests come from the same numbers."""

    precisions: dict[str, list[float]]
    found: dict[str, list[list[bool]]]
    spans: dict[str, list[tuple[bool, float]]]


def tally(
    judged: Sequence[JudgedRow],
    documents: dict[str, Transcript],
    weights: FusionWeights,
    cutters: Mapping[str, Cutter] | None = None,
) -> Tally:
    """Every row's average precision, hits at 1, 3 and 5, and span figures.

    `cutters` are further span systems by name: row, ordinals, paragraphs -> the text they cut.
    """
    every: dict[str, Cutter] = {"model": span_text, **(cutters or {})}
    result = Tally({s: [] for s in SYSTEMS}, {s: [] for s in SYSTEMS}, {})
    for row in judged:
        paragraphs = documents[row.pair.document].paragraphs
        best: list[int] = []
        for system, scores in system_scores(row, paragraphs, weights).items():
            best = order(scores).tolist()
            result.precisions[system].append(average_precision(best, row.relevant))
            result.found[system].append([found_at(best, row.relevant, k) for k in (1, 3, 5)])
        gold = quoted_text(row, paragraphs)
        settings = {"positive": sorted(row.relevant), "top": best[: len(row.relevant)]}
        for name, cutter in every.items():
            for setting, ordinals in settings.items():
                text = cutter(row, ordinals, paragraphs)
                result.spans.setdefault(f"{name} {setting}", []).append(
                    (exact_match(text, gold), f1(text, gold))
                )
    return result


def figures(result: Tally) -> dict[str, Any]:
    """Means in percent, in the form that `rostrum evaluate` prints."""
    ranking = {
        system: {
            "map": percent(result.precisions[system]),
            **{
                f"acc@{k}": percent(hits)
                for k, hits in zip((1, 3, 5), zip(*result.found[system], strict=True), strict=True)
            },
        }
        for system in SYSTEMS
    }
    return {
        "ranking": ranking,
        "spans": {s: span_figures(result.spans[f"model {s}"]) for s in ("positive", "top")},
    }


def manifest_figures(quality: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest tells of a result of `benchmarks.quality`: rows, ranking, and the models' own spans."""
    return {name: quality[name] for name in ("n", "rows", "ranking")} | {"spans": quality["spans"]["model"]}


def span_figures(rows: Sequence[tuple[bool, float]]) -> dict[str, float]:
    """Exact match and F1 in percent."""
    return {"em": percent([em for em, _ in rows]), "f1": percent([score for _, score in rows])}


def percent(values: Sequence[float]) -> float:
    """Mean in percent, two decimals.

    >>> percent([True, False, False])
    33.33
    """
    return round(100 * float(np.mean(values)), 2)


def sampled(rows: list[Pair], limit: int | None, seed: int) -> list[Pair]:
    """At most `limit` rows, drawn with `seed`; all, if not given."""
    if limit is None or limit >= len(rows):
        return rows
    return Random(seed).sample(rows, limit)


def evaluate(
    pairs_path: Path,
    documents_path: Path,
    models: Models,
    *,
    limit: int | None = None,
    seed: int = 0,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """The figures of the models over a file of pairs, as `rostrum evaluate --json` prints them.

    Rows marked `repeated` are left out. `p_value` is of model against BM25, on average precision.

    Raises:
        BadInput: a file cannot be read, or has no row to evaluate.
    """
    from rostrum.core.errors import BadInput

    began = time.monotonic()
    documents = transcripts(documents_path)
    rows = sampled(pairs(pairs_path, documents), limit, seed)
    if not rows:
        raise BadInput(f"{pairs_path.name} has no row to evaluate")
    result = tally(list(judge(rows, documents, models, tell)), documents, models.fusion)
    return {
        "n": len(rows),
        **figures(result),
        "p_value": permutation_test(result.precisions["model"], result.precisions["bm25"]),
        "seconds": round(time.monotonic() - began, 1),
    }
