"""List the ranges of words around a span that may replace it, and find the nearest one that is fit for print.

The ranges begin and end where sentences and clauses do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quotations.grammar.passages import Sentence
from quotations.printing.cut_places import list_ends, list_starts
from quotations.printing.print_rules import find_lesser_flaws
from quotations.printing.print_spans import LONGEST, SHORTEST, Flaw, FlawKind, PrintSpan

MOST_STARTS = 24  # of candidates around a span: a sentence of 100 words has about ten clauses
FURTHEST = 3  # sentences from the span in which a replacement is looked for


def find_nearest(
    span: PrintSpan,
    flaws: list[Flaw],
    may_be_allowed: Callable[[PrintSpan], bool],
    is_allowed: Callable[[PrintSpan], bool] | None = None,
) -> tuple[PrintSpan, list[Flaw]]:
    """Return the range of words that best replaces the span, with its flaws; or the span if none is better.

    The best range is close to the span and has less grave flaws. `may_be_allowed` and `is_allowed` return
    whether a range may be used. The first is called before all rules, the second only before the slow rules.
    """
    best, best_flaws = span, flaws
    least = _add_penalty(_measure_distance(span, span.start_char, span.end_char), flaws)
    is_long_enough = span.length >= SHORTEST
    is_misleading = rank_worst(flaws) == FlawKind.MEANING
    distances = [
        _measure_distance(span, start, end)
        for start, end in _list_ranges(span)
        if _is_near(span, start, end, must_hold=is_misleading)
    ]
    for distance, size, start in sorted(distances):
        if distance >= least[0]:
            break
        option = _take_range(span, start, start + size)
        is_cut_short = is_long_enough and option.length < SHORTEST
        if is_cut_short or _is_opened_inside_earlier(span, option) or not may_be_allowed(option):
            continue
        unfit = min(rank_worst(flaws), FlawKind.BOUNDARY)
        if (distance + PENALTIES[FlawKind.CONTEXT], size, start) >= least:
            unfit = min(unfit, FlawKind.CONTEXT)
        option_flaws = find_lesser_flaws(option, unfit, is_allowed)
        if option_flaws is None:
            continue
        if (cost := _add_penalty((distance, size, start), option_flaws)) < least:
            best, best_flaws, least = option, option_flaws, cost
    return best, best_flaws


def _is_opened_inside_earlier(span: PrintSpan, option: PrintSpan) -> bool:
    """Return whether `option` begins inside a sentence that comes before the first sentence of `span`.

    `option` may replace `span`. A start after punctuation, or after only the first word of the sentence, does
    not count.
    """
    if not span.parts or option.start_char >= span.parts[0].sentence.words[0].start_char:
        return False
    part = option.parts[0]
    return part.first > 1 and not part.gap_before.strip()


def list_candidates(span: PrintSpan) -> Iterator[PrintSpan]:
    """Yield spans that overlap `span`, and that begin and end at clauses or punctuation marks."""
    return (_take_range(span, start, end) for start, end in _list_ranges(span))


def _take_range(span: PrintSpan, start: int, end: int) -> PrintSpan:
    return PrintSpan(span.passage, start, end, span.laughter, span.following, span.preceding, span.turn)


def _list_ranges(span: PrintSpan) -> Iterator[tuple[int, int]]:
    """Yield (start offset, end offset) of each range of text that overlaps a span and could replace it."""
    sentences = _list_nearby(span)
    starts = sorted({start for sentence in sentences for start in sentence.compute(list_starts)})
    ends = sorted({end for sentence in sentences for end in sentence.compute(list_ends)})
    starts = [start for start in starts if start < span.end_char][-MOST_STARTS:]
    ends = [end for end in ends if end > span.start_char][:MOST_STARTS]
    for start in starts:
        for end in ends:
            if start < end and is_overlapping(span, start, end):
                yield start, end


def _list_nearby(span: PrintSpan) -> list[Sentence]:
    sentences = span.passage.sentences
    touched = [
        i for i, s in enumerate(sentences) if s.start_char < span.end_char and s.end_char > span.start_char
    ]
    if not touched:
        return list(sentences[:1])
    last = max(touched[-1] + 1, _find_quotation_end(span, touched[-1]))
    return list(sentences[max(0, touched[0] - 1) : last + 1])


def _find_quotation_end(span: PrintSpan, last: int) -> int:
    """Return the index of the sentence that ends a quotation, if the span ends inside this quotation.

    In other cases, return `last`, the index of the last sentence of the span.
    """
    sentences, text = span.passage.sentences, span.passage.text
    closes = [end for start, end in span.passage.quoted if start <= span.end_char <= end < len(text)]
    reached = (
        i
        for i in range(last, min(len(sentences), last + FURTHEST + 1))
        if closes and sentences[i].end_char >= closes[0]
    )
    return next(reached, last)


def is_overlapping(span: PrintSpan, start: int, end: int) -> bool:
    """Return whether a span shares characters with the range `start:end` of its paragraph."""
    return min(span.end_char, end) > max(span.start_char, start)


def _is_near(span: PrintSpan, start: int, end: int, *, must_hold: bool) -> bool:
    """Return whether a span and a range share at least half of the characters of the shorter one.

    With `must_hold`, the range must also contain the whole span.
    """
    if must_hold and not (start <= span.start_char and span.end_char <= end):
        return False
    shared = min(span.end_char, end) - max(span.start_char, start)
    return 2 * shared >= min(span.end_char - span.start_char, end - start)


def rank_worst(flaws: Sequence[Flaw]) -> int:
    """Return the kind of the gravest flaw, a `FlawKind`; 0 without flaws. The gravest flaw is the first."""
    return flaws[0].kind if flaws else 0


def _measure_distance(span: PrintSpan, start: int, end: int) -> tuple[float, int, int]:
    """Return a sort key for a range: (distance from the span, size, start).

    The distance is 1 minus the overlap of range and span. It is higher for a range that is too short or too
    long.
    """
    shared = min(span.end_char, end) - max(span.start_char, start)
    overlap = 2 * shared / max(1, end - start + span.end_char - span.start_char)
    words = span.passage.count_words(start, end)
    length = 0.3 if words < SHORTEST else 0.2 if words > LONGEST else 0.0
    return 1 - overlap + length, end - start, start


def _add_penalty(distance: tuple[float, int, int], flaws: Sequence[Flaw]) -> tuple[float, int, int]:
    """Add the penalty for the gravest of `flaws` to a sort key, as `_measure_distance` returns it."""
    worst = PENALTIES[FlawKind(rank_worst(flaws))] if flaws else 0.0
    return distance[0] + worst, *distance[1:]


PENALTIES = {
    FlawKind.LENGTH: 0.0,
    FlawKind.CONTEXT: 0.6,
    FlawKind.BOUNDARY: 0.8,
    FlawKind.GRAMMAR: 1.0,
    FlawKind.MEANING: 2.0,
}
