"""Sort recommendations by score and by the probability that the marked words can be printed unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import nlargest

from rostrum_core.types import Recommendation, Span

UNPRINTABLE_COST = 3.5
"""Amount of `final` that words lose which cannot be printed as they are marked.

It is the largest cost at which mean average precision on dev stays within half a point (docs/spans.md).
"""

REPLACED_WORTH = 0.5
"""Worth of words for print that have none of the words that the model marked: they fit the draft less."""

FURTHER = 10
"""Number of recommendations after the requested ones that may take the place of one of them."""


def prepare_best(
    ranked: Sequence[Recommendation],
    prepare: Callable[[Recommendation], Recommendation | None],
    limit: int,
    *,
    is_ordered: bool = False,
) -> tuple[Recommendation, ...]:
    """Prepare the best recommendations for print, and return the best `limit` of them, sorted again.

    `ranked` are sorted by their score `final`, and are prepared in this order. Preparation can only lower a
    score, so it stops when the later recommendations can no longer be among the best. The prepared ones are
    sorted by `compute_order`, unless `is_ordered` is true. If `prepare` returns `None`, because there is no
    time left, the remaining recommendations follow unprepared.
    """
    prepared: list[Recommendation] = []
    for recommendation in ranked:
        if len(prepared) >= limit and _is_out_of_reach(recommendation, prepared, limit):
            break
        if (one := prepare(recommendation)) is None:
            break
        prepared.append(one)
    ordered = prepared if is_ordered else sorted(prepared, key=compute_order, reverse=True)
    best = [*ordered, *ranked[len(prepared) :]][:limit]
    return tuple(replace(one, rank=rank) for rank, one in enumerate(best, 1))


def compute_order(recommendation: Recommendation) -> float:
    """Return the score by which a recommendation is sorted after its preparation for print.

    This is the score `final` minus a penalty. The penalty is greater if the marked words probably cannot be
    printed unchanged, or if they are not the words that the model chose.
    """
    span, cut = next(iter(recommendation.spans), None), recommendation.cut
    worth = 0.0 if span is None or cut is None else estimate_worth(span, cut)
    return _read_final(recommendation) - UNPRINTABLE_COST * (1 - worth)


def estimate_worth(span: Span, cut: Span) -> float:
    """Return the worth of a span for print, from 0 to 1.

    This is the chance that the span can be printed as it is marked, multiplied by a factor from 0.5 to 1. The
    factor is 1 if the span has all words of `cut`, the span that the model marked, and 0.5 if it has none of
    them. In the example, the span has half of `cut`, so the factor is 0.75.

    >>> estimate_worth(Span(0, 40, 1.0, printability=0.9), Span(20, 60, 1.0))
    0.675
    """
    kept = max(0, min(span.end_char, cut.end_char) - max(span.start_char, cut.start_char))
    share = kept / (cut.end_char - cut.start_char)
    return (span.printability or 0.0) * (REPLACED_WORTH + (1 - REPLACED_WORTH) * share)


def _is_out_of_reach(recommendation: Recommendation, prepared: Sequence[Recommendation], limit: int) -> bool:
    """Return whether an unprepared recommendation cannot become one of the best `limit` recommendations.

    Preparation can only lower its score `final`. So it has no chance if `limit` of the prepared
    recommendations already have at least this score.
    """
    return nlargest(limit, map(compute_order, prepared))[-1] >= _read_final(recommendation)


def _read_final(recommendation: Recommendation) -> float:
    final = recommendation.scores.get("final")
    return float("-inf") if final is None else final
