"""Find which recommended words were already printed, and filter or sort recommendations by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rostrum_core.companions import Freshness, Repeat
from rostrum_core.types import Answer, Recommendation


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """Hold an answer and, for each of its recommendations, where its words were printed, oldest first."""

    answer: Answer
    printed: tuple[tuple[Repeat, ...], ...]


def judge_freshness(
    answer: Answer, find_printed: Callable[[str], Sequence[Repeat]], freshness: Freshness, limit: int
) -> FreshAnswer:
    """Return at most `limit` recommendations, filtered or sorted by `freshness`, with new ranks.

    With "leave-out", recommendations whose words were already printed are left out. With "last", they come
    last: the recommendation that was printed longest ago comes first among them.

    Raises:
        StoreError: the archive of articles cannot be read.
    """
    pairs = [
        (item, tuple(select_overlapping(item, find_printed(item.paragraph.text))))
        for item in answer.recommendations
    ]
    if freshness == "leave-out":
        pairs = [pair for pair in pairs if not pair[1]]
    if freshness == "last":
        pairs.sort(key=lambda pair: (bool(pair[1]), find_last_day(pair[1])))
    chosen = [(replace(item, rank=rank), repeats) for rank, (item, repeats) in enumerate(pairs[:limit], 1)]
    return FreshAnswer(
        replace(answer, recommendations=tuple(item for item, _ in chosen)),
        tuple(repeats for _, repeats in chosen),
    )


def select_overlapping(recommendation: Recommendation, repeats: Sequence[Repeat]) -> list[Repeat]:
    """Return the repeats that overlap the words worth quoting, or all if no words are marked."""
    if not recommendation.spans:
        return list(repeats)
    span = recommendation.spans[0]
    return [
        item
        for item in repeats
        if item.own_start_char < span.end_char and item.own_end_char > span.start_char
    ]


def find_last_day(repeats: Sequence[Repeat]) -> str:
    """Return the last day on which words were printed, "" if they never were."""
    return max((item.day or "" for item in repeats), default="")
