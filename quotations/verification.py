"""Whether a quotation's words stand in a window of a transcript, and which of its words they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quotations.alignment import ADDED, DROPPED, LEFT_OUT, Alignment, align, word_scores
from quotations.printed_quote import Quoted
from quotations.word_index import Ints, Place, WordIndex

LEAST_COVERAGE = 0.75  # share of a quotation's words that are found; of their bits, too
LEAST_OF_PART = 0.5  # share of each part's words
FARTHEST_PART = 20  # words that a speaker may say between two parts of a quotation
LEAST_COMMON = 0.5  # share of words in the window in any order, without which no alignment is tried
INSERTED = 1  # score of a word in brackets that is found: welcome, never needed


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quotation stands. `exact`: the same words in the same order, none put in or left out.

    `coverage` is the share of the quotation's words that are found, without those in brackets. `score`
    is that of the alignment: higher for more words found and fewer besides.
    """

    place: Place
    exact: bool
    coverage: float
    score: int


def verified(index: WordIndex, quoted: Quoted, ids: Ints, window: tuple[int, int]) -> Match | None:
    """The match within a range of positions; `None` where too few of the words are found.

    Words count alike, and by their bits: that "the enemy of the American people" shares five words of six
    with "the needs of the American people" is little, as the sixth is the one that tells most.
    """
    spoken = index.ids[slice(*window)]
    own = ~quoted.inserted
    if np.isin(ids, spoken)[own].mean() < LEAST_COMMON:
        return None
    way = _aligned(index, quoted, ids, spoken)
    found = np.zeros(len(ids), np.bool_)
    found[way.quoted] = True
    coverage = float(found[own].mean())
    if min(coverage, _share(found[own], index.bits_of(ids[own]))) < LEAST_COVERAGE:
        return None
    if not _goes_together(quoted.part, found, own, way):
        return None
    first, last = window[0] + int(way.spoken[0]), window[0] + int(way.spoken[-1])
    exact = bool(own.all() and found.all() and way.equal.all()) and last - first + 1 == len(ids)
    return Match(index.place(first, last), exact, coverage, way.score)


def _aligned(index: WordIndex, quoted: Quoted, ids: Ints, spoken: Ints) -> Alignment:
    scores = word_scores(ids, spoken, quoted.keys, [index.keys[number] for number in spoken])
    scores[quoted.inserted] = np.where(scores[quoted.inserted] > 0, INSERTED, 0)
    return align(
        scores,
        skips=np.where(quoted.cut_after, LEFT_OUT, DROPPED).astype(np.int32),
        added=np.where(quoted.inserted, 0, ADDED).astype(np.int32),
    )


def _goes_together(
    part: NDArray[np.intp], found: NDArray[np.bool_], own: NDArray[np.bool_], way: Alignment
) -> bool:
    """Whether enough is found of each part, and each near the one before."""
    if any(found[own & (part == each)].mean() < LEAST_OF_PART for each in np.unique(part[own])):
        return False
    between = np.diff(way.spoken)[np.diff(part[way.quoted]) > 0] - 1
    return not (between > FARTHEST_PART).any()


def _share(found: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    total = weights.sum()
    return float(weights[found].sum() / total) if total else 0.0
