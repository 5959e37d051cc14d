"""Align a quotation, word by word, with the part of a transcript that matches it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from quotations.matching.word_index import UNKNOWN, Ints

# Scores of a step are integers, so that the traceback can compare them exactly.
EQUAL, ALIKE, OTHER = 100, 60, -80
DROPPED = -40  # a word of the transcript missing from the quotation
LEFT_OUT = -1  # the same at an ellipsis, or where the quotation pauses for a "he said"
ADDED = -60  # a word of the quotation missing from the transcript
# Least share of equal letters in similar words. A word that occurs in no transcript is likely misspelled.
ALIKE_IF_KNOWN, ALIKE_IF_UNKNOWN = 0.8, 0.6


@dataclass(frozen=True, slots=True)
class Alignment:
    """Hold pairs of corresponding words: one word of a quotation, the other of a window.

    A window is a range of consecutive words of a transcript. Pair i is word `quoted[i]` of the
    quotation and word `spoken[i]` of the window. Both arrays hold ascending indices. `equal[i]` is true if
    the two words are the same. `score` is the score of the whole alignment, at most `EQUAL` per word.
    """

    quoted: Ints
    spoken: Ints
    equal: NDArray[np.bool_]
    score: int


def align(scores: Ints, skips: Ints, added: Ints) -> Alignment:
    """Compute the best local alignment of a quotation (n words) with a window of the transcript (m words).

    The best alignment is the one with the highest score. If several have this score, the result is the one
    that ends first in the quotation. `scores` (n, m) holds the score of pairing quotation word i with window
    word j. `skips` (n,) is the score of a window word that is omitted after quotation word i. `added` (n,) is
    the score of a quotation word i that has no counterpart in the window. Neither `skips` nor `added` may
    exceed 0.

    Source: Smith and Waterman, J. Mol. Biol. 147 (1981), with gaps of linear cost. A running maximum fills
    each row of the matrix at once.
    """
    n, m = scores.shape
    best = np.zeros((n + 1, m + 1), np.int32)
    columns = np.arange(m + 1, dtype=np.int32)
    for i in range(n):
        row = np.zeros(m + 1, np.int32)
        row[1:] = np.maximum(best[i, :-1] + scores[i], best[i, 1:] + added[i])
        np.maximum(row, 0, out=row)
        best[i + 1] = np.maximum.accumulate(row - skips[i] * columns) + skips[i] * columns
    return _trace_back(best, scores, added)


def _trace_back(best: Ints, scores: Ints, added: Ints) -> Alignment:
    i, j = (int(at) for at in np.unravel_index(int(np.argmax(best)), best.shape))
    score = int(best[i, j])
    pairs: list[tuple[int, int]] = []
    while best[i, j] > 0:
        if best[i, j] == best[i - 1, j - 1] + scores[i - 1, j - 1]:
            i, j = i - 1, j - 1
            if scores[i, j] > 0:
                pairs.append((i, j))
        elif best[i, j] == best[i - 1, j] + added[i - 1]:
            i -= 1
        else:
            j -= 1
    quoted, spoken = np.array(pairs[::-1], np.int32).reshape(-1, 2).T
    return Alignment(quoted, spoken, scores[quoted, spoken] == EQUAL, score)


def score_words(quoted: Ints, spoken: Ints, quoted_keys: Sequence[str], spoken_keys: Sequence[str]) -> Ints:
    """Return how well each of n quoted words matches each of m spoken words, int (n, m).

    `quoted` and `spoken` hold the words as numbers, `quoted_keys` and `spoken_keys` as text. The score of a
    pair is `EQUAL` for the same word, `ALIKE` for a likely misspelling, else `OTHER`. Only a quoted word that
    is not among the spoken words can be a misspelling. Figures are never alike: 2015 is not 2016.
    """
    equal = quoted[:, None] == spoken[None, :]
    scores = np.where(equal, EQUAL, OTHER).astype(np.int32)
    least = np.where(quoted == UNKNOWN, ALIKE_IF_UNKNOWN, ALIKE_IF_KNOWN)
    rows = [i for i in map(int, np.flatnonzero(~equal.any(axis=1))) if quoted_keys[i].isalpha()]
    if rows:
        shared = process.cdist(
            [quoted_keys[i] for i in rows], spoken_keys, scorer=Levenshtein.normalized_similarity
        )
        scores[rows] = np.where(shared >= least[rows, None], ALIKE, OTHER)
    return scores
