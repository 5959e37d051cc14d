"""Compute the figures for drafts whose candidates are all paragraphs of the quoted transcript.

If a quote covers n paragraphs, all n paragraphs are relevant. The predicted span then consists of the spans
of the n top paragraphs. The figures are defined as in "Context-Based Quotation Recommendation" (ICWSM 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.judging import JudgedRow
from evaluation.measures import Measures, measure_rankings
from evaluation.metrics import (
    average_precision,
    compute_f1,
    match_exactly,
    measure_error_distance,
    order,
    run_permutation_test,
)
from evaluation.significance import compute_p_values
from evaluation.systems import PARTS, leave_out, merge_scores, score_systems
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights

Cutter = Callable[[JudgedRow, Sequence[int], Sequence[str]], str]
"""Function that returns the text cut from paragraphs. Parameters: a row, ordinals, all paragraphs."""

DISTANCES = {"0": (0, 0), "1": (1, 1), "2-3": (2, 3), "4-10": (4, 10), ">10": (11, None)}


def span_text(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
    """Join the predicted spans of the paragraphs with these ordinals, in the transcript's order."""
    return " ".join(paragraphs[i][row.spans[i].start_char : row.spans[i].end_char] for i in sorted(ordinals))


@dataclass(frozen=True)
class Tally:
    """Hold the figures of each judged row, so that means and paired tests use the same numbers.

    `speeches` has the quoted speech of each row. Tests group rows by speech, because rows that quote the same
    speech depend on each other. `ranking` has measures such as average precision, by system, and `distances`
    the distance in paragraphs from the top paragraph to the quote. `spans` has pairs (exact match, F1) by
    names such as "model top". The first word is the function that chose the spans. The second word is
    "positive" for the quoted paragraphs, or "top" for the same number of paragraphs with the best ranks.
    """

    speeches: list[str]
    ranking: dict[str, Measures]
    distances: dict[str, list[int]]
    spans: dict[str, list[tuple[bool, float]]]

    @property
    def precisions(self) -> dict[str, list[float]]:
        """Return the average precision of each row, by system."""
        return {system: measures["map"] for system, measures in self.ranking.items()}


def tally(
    judged: Sequence[JudgedRow],
    documents: Mapping[str, Transcript],
    weights: FusionWeights,
    cutters: Mapping[str, Cutter] | None = None,
) -> Tally:
    """Measure every judged row (a draft with the scores of all stages): rankings, error distances and spans.

    The rankings and error distances are those of each system. `cutters` are further functions, by name, that
    choose the quoted words (the span) of a paragraph; their spans are measured, too.
    """
    rankings: dict[str, list[list[int]]] = {}
    for row in judged:
        paragraphs = documents[row.pair.document].paragraphs
        for system, scores in score_systems(row, paragraphs, weights).items():
            rankings.setdefault(system, []).append(order(scores).tolist())
    relevant = [row.relevant for row in judged]
    distances = {
        system: [
            measure_error_distance(ranked[0], quoted) for ranked, quoted in zip(ranks, relevant, strict=True)
        ]
        for system, ranks in rankings.items()
    }
    return Tally(
        [row.pair.document for row in judged],
        {system: measure_rankings(ranks, relevant) for system, ranks in rankings.items()},
        distances,
        _compare_spans(judged, documents, rankings["model"], {"model": span_text, **(cutters or {})}),
    )


def _compare_spans(
    judged: Sequence[JudgedRow],
    documents: Mapping[str, Transcript],
    rankings: Sequence[Sequence[int]],
    cutters: Mapping[str, Cutter],
) -> dict[str, list[tuple[bool, float]]]:
    outcomes: dict[str, list[tuple[bool, float]]] = {}
    for row, ranked in zip(judged, rankings, strict=True):
        paragraphs = documents[row.pair.document].paragraphs
        gold = row.pair.join_quoted(paragraphs)
        settings = {"positive": sorted(row.relevant), "top": ranked[: len(row.relevant)]}
        for name, cutter in cutters.items():
            for setting, ordinals in settings.items():
                text = cutter(row, ordinals, paragraphs)
                outcomes.setdefault(f"{name} {setting}", []).append(
                    (match_exactly(text, gold), compute_f1(text, gold))
                )
    return outcomes


def compute_figures(result: Tally) -> dict[str, Any]:
    """Summarise the figures of all rows in the form that `rostrum evaluate` prints.

    Means and shares are in percent. p values are between 0 and 1.
    """
    return {
        "ranking": {
            system: {name: average_percent(values) for name, values in measures.items()}
            for system, measures in result.ranking.items()
        },
        "spans": {s: span_figures(result.spans[f"model {s}"]) for s in ("positive", "top")},
        "error_distance": {
            system: summarise_distances(distances) for system, distances in result.distances.items()
        },
        "p_values": compute_p_values(result.precisions, result.speeches),
    }


def summarise_distances(distances: Sequence[int]) -> dict[str, float]:
    """Compute the percentage of rows for each range of error distance.

    An error distance is the number of paragraphs from the top paragraph to the nearest quoted one.

    >>> summarise_distances([0, 0, 3, 40])
    {'0': 50.0, '1': 0.0, '2-3': 25.0, '4-10': 0.0, '>10': 25.0}
    """
    return {
        name: average_percent(
            [least <= distance and (most is None or distance <= most) for distance in distances]
        )
        for name, (least, most) in DISTANCES.items()
    }


def measure_contributions(
    judged: Sequence[JudgedRow], documents: Mapping[str, Transcript], weights: FusionWeights
) -> dict[str, dict[str, float]]:
    """Measure what each signal contributes to the final ranking; return three figures, by signal name.

    "map" is the mAP of a ranking without the signal, "loss" is how much lower it is than with the signal, and
    "p" comes from a significance test of this loss.
    """

    def compute_precisions(tried: FusionWeights) -> list[float]:
        texts = [documents[row.pair.document].paragraphs for row in judged]
        return [
            average_precision(order(merge_scores(row, paragraphs, tried)).tolist(), row.relevant)
            for row, paragraphs in zip(judged, texts, strict=True)
        ]

    whole, differences = compute_precisions(weights), {}
    speeches = [row.pair.document for row in judged]
    for part in PARTS:
        rest = compute_precisions(leave_out(weights, part))
        differences[part] = {
            "map": average_percent(rest),
            "loss": round(average_percent(whole) - average_percent(rest), 2),
            "p": run_permutation_test(whole, rest, speeches),
        }
    return differences


def span_figures(rows: Sequence[tuple[bool, float]]) -> dict[str, float]:
    """Return the means of exact match and F1, in percent, over spans; a row is (exact match, F1)."""
    return {
        "em": average_percent([em for em, _ in rows]),
        "f1": average_percent([score for _, score in rows]),
    }


def average_percent(values: Sequence[float]) -> float:
    """Compute the mean in percent, with two decimals.

    >>> average_percent([True, False, False])
    33.33
    """
    return round(100 * float(np.mean(values)), 2)
