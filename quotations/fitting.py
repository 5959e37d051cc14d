"""Fit all words of a quotation to the best place of a window: match, replace or add every word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quotations.alignment import EQUAL, score_words
from quotations.word_index import Ints

REPLACED = -50  # above the score of one dropped and one added word, so that a changed word is paired
NEAR_KIND = -20  # a figure that replaces a figure
DROPPED = -40
CUT = -1  # per word that an ellipsis or the end of a part omits
ADDED = -60
INSERTED = -1  # a word in brackets


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Map word i of the quotation to word `spoken[i]` of the window, or to none (-1): int32 (n,).

    `equal` and `alike` are bool (n,): the words are the same, or spellings of one. `score` is at most
    `EQUAL` per word.
    """

    spoken: Ints
    equal: NDArray[np.bool_]
    alike: NDArray[np.bool_]
    score: int

    @property
    def matched(self) -> NDArray[np.bool_]:
        """Return which words of the quotation have a counterpart that is equal or alike: bool (n,)."""
        return self.equal | self.alike


def fit(
    quoted: Sequence[str], inserted: NDArray[np.bool_], cut_after: NDArray[np.bool_], spoken: Sequence[str]
) -> Fit:
    """Return the fit with the highest score, the first of equals.

    Source: Sellers, J. Algorithms 1 (1980): global in the quotation, free ends in the window. A running
    maximum fills a row at once.

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
    return _trace(best, scores, skips, added)


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
