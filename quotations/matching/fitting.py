"""Align all words of a quotation with a part of a transcript: each word matches, replaces another, or is
added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quotations.matching.alignment import EQUAL, score_words
from quotations.matching.word_index import Ints

REPLACED = -50  # above the score of one dropped and one added word, so that a changed word is paired
NEAR_KIND = -20  # a figure that replaces a figure
DROPPED = -40
CUT = -1  # per word that an ellipsis or the end of a part omits
ADDED = -60
INSERTED = -1  # a word in brackets


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Map word i of a quotation to word `spoken[i]` of the transcript, or to -1 if it has no counterpart.

    `spoken` is int32 (n,), with indices into the window, the part of the transcript that was read. `equal`
    and `alike` are bool (n,): the two words are the same, or spellings of the same word. `score` rates the
    whole match; it is at most n * `EQUAL`.
    """

    spoken: Ints
    equal: NDArray[np.bool_]
    alike: NDArray[np.bool_]
    score: int

    @property
    def matched(self) -> NDArray[np.bool_]:
        """Return which words of the quotation match: the transcript has the same word or a spelling of it,
        bool (n,).
        """
        return self.equal | self.alike


def fit(
    quoted: Sequence[str], inserted: NDArray[np.bool_], cut_after: NDArray[np.bool_], spoken: Sequence[str]
) -> Fit:
    """Align all words of `quoted` with a part of `spoken`, and return the fit with the highest score.

    `inserted` marks words in brackets, `cut_after` marks words before an ellipsis. Of equal fits, the first
    is returned.

    Source: Sellers, J. Algorithms 1 (1980). The words of `spoken` before and after the part cost nothing. A
    running maximum fills each row of the matrix at once.

    >>> none = np.zeros(3, bool)
    >>> fit(["not", "a", "crook"], none, none, ["i", "am", "a", "crook"]).spoken.tolist()
    [1, 2, 3]
    """
    scores = _score_words(quoted, inserted, spoken)
    n, m = scores.shape
    skips = np.where(cut_after, CUT, DROPPED).astype(np.int64)
    added = np.where(inserted, INSERTED, ADDED).astype(np.int64)
    best = np.zeros((n + 1, m + 1), np.int64)
    columns = np.arange(m + 1)
    for i in range(n):
        row = best[i] + added[i]
        np.maximum(row[1:], best[i, :-1] + scores[i], out=row[1:])
        slope = skips[i] * columns
        best[i + 1] = np.maximum.accumulate(row - slope) + slope
    best[n] = np.maximum(
        best[n - 1] + added[n - 1], np.r_[np.iinfo(np.int64).min // 2, best[n - 1, :-1] + scores[n - 1]]
    )
    return join_gaps(_trace(best, scores, skips, added), cut_after, spoken)


def join_gaps(result: Fit, cut_after: NDArray[np.bool_], spoken: Sequence[str]) -> Fit:
    """Move matches of words that the speaker says twice, so that omitted words form one gap instead of two.

    "We [must] go [and go] home" becomes "We [must go and] go home", where brackets show what is omitted. A
    gap at an ellipsis is kept, because the ellipsis shows where words are omitted.

    >>> none = np.zeros(4, bool)
    >>> moved = fit("we have it now".split(), none, none, "we then did not and we have it now".split())
    >>> moved.spoken.tolist()
    [5, 6, 7, 8]
    """
    places = result.spoken.copy()
    at = 1
    while at < len(places):
        stop = _find_run_end(places, result.equal, at)
        has_gap = result.equal[at - 1] and result.equal[at] and places[at] > places[at - 1] + 1
        if has_gap and stop < len(places) and result.equal[stop]:
            run = tuple(spoken[places[at] : places[stop - 1] + 1])
            left, right = int(places[at - 1]) + 1, int(places[stop]) - len(run)
            moves = ((left, cut_after[at - 1]), (right, cut_after[stop - 1]))
            for first, is_marked in moves:
                if not is_marked and tuple(spoken[first : first + len(run)]) == run:
                    places[at:stop] = np.arange(first, first + len(run))
                    break
        at = max(stop, at + 1)
    return replace(result, spoken=places)


def _find_run_end(places: Ints, equal: NDArray[np.bool_], at: int) -> int:
    """Return the end (exclusive) of the run of words that begins at quoted word `at`.

    The words of a run equal consecutive words of the transcript.
    """
    stop = at + 1
    while stop < len(places) and equal[stop] and places[stop] == places[stop - 1] + 1:
        stop += 1
    return stop


def _score_words(quoted: Sequence[str], inserted: NDArray[np.bool_], spoken: Sequence[str]) -> Ints:
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(word, len(numbers)) for word in spoken], np.int32)
    own = np.array([numbers.get(word, -1) for word in quoted], np.int32)
    scores = score_words(own, ids, quoted, spoken)
    scores[scores < 0] = REPLACED
    figures = np.array([word[:1].isdigit() for word in spoken], np.bool_)
    for i, word in enumerate(quoted):
        if word[:1].isdigit():
            scores[i, figures & (scores[i] < 0)] = NEAR_KIND
        if inserted[i]:
            scores[i] = np.where(scores[i] == EQUAL, 1, INSERTED)
    return scores


def _trace(best: NDArray[np.int64], scores: Ints, skips: NDArray[np.int64], added: NDArray[np.int64]) -> Fit:
    n = len(scores)
    spoken = np.full(n, -1, np.int32)
    i, j = n, int(np.argmax(best[n]))
    score = int(best[n, j])
    while i > 0:
        value = best[i, j]
        if j and value == best[i - 1, j - 1] + scores[i - 1, j - 1]:
            i, j = i - 1, j - 1
            spoken[i] = j
        elif value == best[i - 1, j] + added[i - 1]:
            i -= 1
        else:
            j -= 1
    paired = np.flatnonzero(spoken >= 0)
    values = np.zeros(n, np.int32)
    values[paired] = scores[paired, spoken[paired]]
    equal = (values == EQUAL) | (values == 1)
    return Fit(spoken, equal, (values > 0) & ~equal, score)
