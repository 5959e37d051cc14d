"""Split a quotation that was put together from several places of the archive into pieces, one per place, and
describe how far apart the places are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from jobs.verify.readings import Printed, Reading, read_window
from jobs.verify.windows import Window
from quotations.matching.difference_kinds import Difference, DifferenceKind

LEAST_WORDS: Final = 4
LEAST_WORDS_NEAR: Final = 2  # of a piece that stands in the same window, such as "Mr. Gorbachev"
NEAR_SPAN_WORDS: Final = 60  # from the rest of the quotation to so short a piece
LEAST_CONTENT: Final = 2  # words of content in a piece that stands farther away
LEAST_COVERAGE: Final = 0.85
LEAST_TOTAL: Final = 0.75
LEFT_OUT_WORDS: Final = 8  # dropped without a mark, over the end of a sentence
LEFT_OUT_WITHIN: Final = 15  # the same within a sentence
SENTENCE_WORDS: Final = 4
FAR_WORDS: Final = 100  # that an ellipsis may leave out before it joins what does not belong together


@dataclass(frozen=True, eq=False)
class QuotedPiece:
    """Hold a piece of a quotation that comes from one place in the archive.

    The place is words `first` to `last` of a window (consecutive paragraphs of the archive). The piece begins
    at word `at` of the quotation and has `words` words; 0 means that they were not counted. `marked` is true
    if the quotation has an ellipsis before the piece. `differences` are those between piece and place.
    """

    window: Window
    first: int
    last: int
    at: int
    marked: bool
    differences: tuple[Difference, ...] = ()
    words: int = 0


def split_long_gaps(reading: Reading) -> list[QuotedPiece]:
    """Split a quotation into pieces, wherever it leaves out too many words of its source.

    `reading` aligns the quotation with a window (consecutive paragraphs of the archive). At an ellipsis, the
    quotation may leave out more words than elsewhere (see `is_gap_between_places`).
    """
    bounds = [reading.first]
    marked = [False]
    at = [0]
    for item in reading.differences:
        if is_gap_between_places(reading, item):
            bounds += [item.spoken_at[0] - 1, item.spoken_at[1]]
            marked.append(item.kind is DifferenceKind.CUT)
            at.append(item.at)
    bounds.append(reading.last)
    return [
        QuotedPiece(reading.window, bounds[2 * number], bounds[2 * number + 1], at[number], marked[number])
        for number in range(len(marked))
        if bounds[2 * number] <= bounds[2 * number + 1]
    ]


def is_gap_between_places(reading: Reading, difference: Difference) -> bool:
    """Return whether a quotation omits so many words at once that it combines two different places.

    `difference` is the place where the quotation omits words of its source.
    """
    first, stop = difference.spoken_at
    size = stop - first
    if difference.kind is DifferenceKind.CUT:
        return size > FAR_WORDS
    if difference.kind not in (DifferenceKind.DROPPED, DifferenceKind.CHANGED) or first <= reading.first:
        return False
    if difference.kind is DifferenceKind.CHANGED and len(difference.quoted.split()) > 2:
        return False
    opens = [
        at
        for at in range(first, stop + 1)
        if at < len(reading.window.spoken.words) and _is_opening(reading, at)
    ]
    whole = len(opens) >= 2 and opens[-1] - opens[0] >= SENTENCE_WORDS
    return size >= LEFT_OUT_WITHIN or (size >= LEFT_OUT_WORDS and bool(opens)) or whole


def _is_opening(reading: Reading, at: int) -> bool:
    return reading.window.spoken.is_sentence_start(at)


def find_unmatched_runs(reading: Reading) -> list[tuple[int, int]]:
    """Return the runs of quoted words that have no match in `reading`, as half-open ranges of word indices.

    `reading` compares the quotation with a place in the archive. A run has at least `LEAST_WORDS_NEAR` words.
    """
    matched = reading.fit.matched | reading.printed.quoted.inserted
    runs, start = [], None
    for at in range(len(matched) + 1):
        is_run = at < len(matched) and not _is_matched(matched, at)
        if is_run and start is None:
            start = at
        elif not is_run and start is not None:
            if at - start >= LEAST_WORDS_NEAR:
                runs.append((start, at))
            start = None
    return runs


def _is_matched(matched: np.ndarray, at: int) -> bool:
    """Return whether word `at` of a quotation matches and is not a match by chance.

    A match is by chance if the words before and after it do not match, unless the word is the first or the
    last one.
    """
    if not matched[at]:
        return False
    before = at > 0 and bool(matched[at - 1])
    after = at + 1 < len(matched) and bool(matched[at + 1])
    alone = not before and not after
    return not alone or at in (0, len(matched) - 1)


def find_pieces(
    reading: Reading, find_windows: Callable[[str], Sequence[Window]]
) -> list[QuotedPiece] | None:
    """Find other places for the words of a quotation that do not match its main place, and return all pieces.

    `reading` compares the quotation with its main place. `find_windows` returns windows (consecutive
    paragraphs) of the archive in which to look for a text, those near the main place first. The pieces are in
    the order of the quotation. Return `None` if all words match, if a run of unmatched words is not found
    anywhere, or if all pieces together have too few words of the quotation.
    """
    runs = find_unmatched_runs(reading)
    if not runs:
        return None
    printed, total = reading.printed, int((~reading.printed.quoted.inserted).sum())
    pieces: list[QuotedPiece] = []
    covered = 0
    for first, stop in _list_ranges(runs, len(printed.quoted.keys)):
        marked = bool(printed.quoted.cut_after[first - 1]) if first else False
        if (first, stop) not in runs:
            kept = _keep_place(reading, first, stop, marked)
            pieces += [kept] if kept else []
            covered += int(reading.fit.matched[first:stop].sum())
            continue
        text = _join_text(printed, first, stop)
        best = _find_elsewhere(reading, Printed.of((text,)), partial(find_windows, text))
        if best is None:
            return None
        pieces.append(
            QuotedPiece(best.window, best.first, best.last, first, marked, best.differences, stop - first)
        )
        covered += round(best.coverage * (stop - first))
    return pieces if len(pieces) > 1 and covered >= LEAST_TOTAL * total else None


def _keep_place(reading: Reading, first: int, stop: int, marked: bool) -> QuotedPiece | None:
    """Return words `first` to `stop` (exclusive) of a quotation, with the words of the source that match.

    The source is the quotation's main place, with which `reading` compares the quotation. Return `None` if
    none of the words match.
    """
    places = reading.fit.spoken[first:stop][reading.fit.matched[first:stop]]
    if not len(places):
        return None
    differences = tuple(
        item for item in reading.differences if first < item.at and item.at + item.size <= stop - 1
    )
    return QuotedPiece(
        reading.window, int(places.min()), int(places.max()), first, marked, differences, stop - first
    )


def _find_elsewhere(
    reading: Reading, part: Printed, find_windows: Callable[[], Sequence[Window]]
) -> Reading | None:
    """Find a second place of the archive for `part`: words of a quotation that do not match its main place.

    `reading` compares the quotation with the main place. Return `part` compared with the second place, or
    `None` if there is none. A short part must match completely, have a content word, and be near the main
    place. Otherwise it could match by chance.
    """
    if len(part.quoted.keys) >= LEAST_WORDS and part.content_words >= LEAST_CONTENT:
        return _choose_best(part, find_windows())
    best = _choose_best(part, [reading.window])
    if best is None or not part.content_words or best.coverage < 1:
        return None
    distance = max(reading.first - best.last, best.first - reading.last, 0)
    return best if distance <= NEAR_SPAN_WORDS else None


def _list_ranges(runs: Sequence[tuple[int, int]], n: int) -> list[tuple[int, int]]:
    """Split the range from 0 to `n` at the bounds of runs, and return all parts: [(2, 4)] and 6 -> [(0, 2),
    (2, 4), (4, 6)].
    """
    bounds = sorted({0, n, *(at for run in runs for at in run)})
    return [(first, stop) for first, stop in pairwise(bounds) if stop > first]


def _join_text(printed: Printed, first: int, stop: int) -> str:
    words = printed.quoted
    part, last = int(words.part[first]), int(words.part[stop - 1])
    start, end = int(words.starts[first]), int(words.ends[stop - 1])
    if part == last:
        return printed.parts[part][start:end]
    return " ".join((printed.parts[part][start:], *printed.parts[part + 1 : last], printed.parts[last][:end]))


def _choose_best(part: Printed, windows: Sequence[Window]) -> Reading | None:
    readings = [reading for window in windows if (reading := read_window(part, window))]
    good = [reading for reading in readings if reading.coverage >= LEAST_COVERAGE]
    return max(good, key=lambda reading: reading.fit.score, default=None)


def describe_distance(pieces: Sequence[QuotedPiece]) -> str:
    """Describe how far apart consecutive pieces are: "3 words later; from another speech (id)".

    >>> describe_distance([])
    ''
    """
    said = []
    for before, after in pairwise(pieces):
        said.append(_describe_step(before, after))
    return "; ".join(said)


def _describe_step(before: QuotedPiece, after: QuotedPiece) -> str:
    first, second = before.window.get_paragraph(before.last), after.window.get_paragraph(after.first)
    if first.document_id != second.document_id:
        return f"from another speech ({second.document_id})"
    if before.window is after.window:
        if after.first > before.last:
            return f"{after.first - before.last - 1} words later"
        return f"{max(0, before.first - after.last - 1)} words earlier"
    step = second.ordinal - first.ordinal
    if step == 0:
        is_later = (
            after.window.get_word(after.first).start_char > before.window.get_word(before.first).start_char
        )
        return "later in the paragraph" if is_later else "earlier in the paragraph"
    return f"{abs(step)} paragraphs {'later' if step > 0 else 'earlier'}"
