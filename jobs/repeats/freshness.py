"""Check whether articles already printed the recommended words; filter or sort recommendations by this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jobs.repeats.job import cut_paragraph
from rostrum_core.companions import Freshness, Repeat
from rostrum_core.types import Answer, Recommendation


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """Hold an answer and, for each recommendation, the places in articles where its words were already
    printed.

    `printed` has one tuple of places per recommendation, the oldest place first.
    """

    answer: Answer
    printed: tuple[tuple[Repeat, ...], ...]


def judge_freshness(
    answer: Answer, find_printed: Callable[[str], Sequence[Repeat]], freshness: Freshness, limit: int
) -> FreshAnswer:
    """Return at most `limit` recommendations, filtered or sorted by whether their words were already printed.

    `find_printed` returns the places where articles printed words of a text. If `freshness` is "leave-out",
    recommendations with printed words are left out. If it is "last", they come last, and the one that was
    printed longest ago comes first among them. The recommendations get new ranks. A remark says how many were
    left out. The fit is `None` if the recommendation for which it was estimated, the first, does not remain.

    Raises:
        StoreError: the archive of articles cannot be read.
    """
    pairs = [(item, tuple(find_printings(item, find_printed))) for item in answer.recommendations]
    if freshness == "leave-out":
        pairs = [pair for pair in pairs if not pair[1]]
    if freshness == "last":
        pairs.sort(key=lambda pair: (bool(pair[1]), find_last_day(pair[1])))
    chosen = [(replace(item, rank=rank), repeats) for rank, (item, repeats) in enumerate(pairs[:limit], 1)]
    items = tuple(item for item, _ in chosen)
    best = [item.paragraph.id for item in answer.recommendations[:1]]
    has_best = any(item.paragraph.id in best for item in items)
    left_out = len(answer.recommendations) - len(pairs)
    remarks = [f"left out {left_out} of the best, as articles printed their words"] if left_out else []
    return FreshAnswer(
        replace(
            answer,
            recommendations=items,
            fit=answer.fit if has_best else None,
            remarks=(*answer.remarks, *remarks),
        ),
        tuple(repeats for _, repeats in chosen),
    )


def find_printings(
    recommendation: Recommendation, find_printed: Callable[[str], Sequence[Repeat]]
) -> list[Repeat]:
    """Return the places where articles already printed the recommended words (the first span).

    A long paragraph is cut around these words before it is looked up. The offsets in the result are those of
    the whole paragraph.
    """
    place = recommendation.spans[0].start_char if recommendation.spans else 0
    start, text = cut_paragraph(recommendation.paragraph.text, place)
    repeats = [
        replace(item, own_start_char=item.own_start_char + start, own_end_char=item.own_end_char + start)
        for item in find_printed(text)
    ]
    return select_overlapping(recommendation, repeats)


def select_overlapping(recommendation: Recommendation, repeats: Sequence[Repeat]) -> list[Repeat]:
    """Return the repeats that overlap the first span of a recommendation, the words to print.

    A repeat is a run of words of the paragraph that an article also has. If the recommendation has no span,
    return all repeats.
    """
    if not recommendation.spans:
        return list(repeats)
    span = recommendation.spans[0]
    return [
        item
        for item in repeats
        if item.own_start_char < span.end_char and item.own_end_char > span.start_char
    ]


def find_last_day(repeats: Sequence[Repeat]) -> str:
    """Return the last day on which one of the repeats was printed; "" if there are none or their days are
    unknown.
    """
    return max((item.day or "" for item in repeats), default="")
