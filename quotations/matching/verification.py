"""Find a quotation in a window (consecutive words of a transcript)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quotations.matching.alignment import ADDED, DROPPED, LEFT_OUT, Alignment, align, score_words
from quotations.matching.printed_quote import Quoted
from quotations.matching.word_index import Ints, Place, WordIndex

LEAST_COVERAGE = 0.75  # least share of a quotation's words that match, and least share of their bits
LEAST_OF_PART = 0.5  # least share of each part's words
FARTHEST_PART = 20  # words that a speaker may say between two parts of a quotation
LEAST_COMMON = 0.5  # least share of words in the window in any order; below it no alignment is tried
INSERTED = 1  # score of a matched word in brackets: welcome, never required


@dataclass(frozen=True, slots=True)
class Match:
    """Locate a quotation in a transcript.

    `exact` means the same words in the same order, without omissions or insertions. `coverage` is the share
    of the quotation's words that match, not counting words in brackets. `score` is the score of the
    alignment: matching words raise it, and additional words lower it.
    """

    place: Place
    exact: bool
    coverage: float
    score: int


def verify_window(index: WordIndex, quoted: Quoted, ids: Ints, window: tuple[int, int]) -> Match | None:
    """Return the match of a quotation within `window`, a range of word positions in the index.

    Return `None` if too few of the quotation's words match, or only frequent words. For example, "The enemy
    of the American people" does not match "the needs of the American people". They share five of six words,
    but the missing word "enemy" is the rarest.
    """
    spoken = index.ids[slice(*window)]
    own = ~quoted.inserted
    if np.isin(ids, spoken)[own].mean() < LEAST_COMMON:
        return None
    way = _align_window(index, quoted, ids, spoken)
    is_matched = np.zeros(len(ids), np.bool_)
    is_matched[way.quoted] = True
    coverage = float(is_matched[own].mean())
    if min(coverage, _compute_share(is_matched[own], index.get_bits(ids[own]))) < LEAST_COVERAGE:
        return None
    if not _is_together(quoted.part, is_matched, own, way):
        return None
    first, last = window[0] + int(way.spoken[0]), window[0] + int(way.spoken[-1])
    exact = bool(own.all() and is_matched.all() and way.equal.all()) and last - first + 1 == len(ids)
    return Match(index.place(first, last), exact, coverage, way.score)


def _align_window(index: WordIndex, quoted: Quoted, ids: Ints, spoken: Ints) -> Alignment:
    scores = score_words(ids, spoken, quoted.keys, [index.keys[number] for number in spoken])
    scores[quoted.inserted] = np.where(scores[quoted.inserted] > 0, INSERTED, 0)
    return align(
        scores,
        skips=np.where(quoted.cut_after, LEFT_OUT, DROPPED).astype(np.int32),
        added=np.where(quoted.inserted, 0, ADDED).astype(np.int32),
    )


def _is_together(
    part: NDArray[np.intp], is_matched: NDArray[np.bool_], own: NDArray[np.bool_], way: Alignment
) -> bool:
    """Return whether each part of a quotation matches well enough, and near the match of the previous part.

    The parts are the words before and after an interruption such as "he said".
    """
    if any(is_matched[own & (part == number)].mean() < LEAST_OF_PART for number in np.unique(part[own])):
        return False
    between = np.diff(way.spoken)[np.diff(part[way.quoted]) > 0] - 1
    return not (between > FARTHEST_PART).any()


def _compute_share(is_matched: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    total = weights.sum()
    return float(weights[is_matched].sum() / total) if total else 0.0
