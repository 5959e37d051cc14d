"""Compute figures of ranking and spans, one formula each.

Source: "Context-Based Quotation Recommendation" (ICWSM 2021), section on evaluation: mean average precision
and accuracy at k within the source transcript; exact match and bag-of-words F1 of spans; a paired
permutation test. Average precision is defined as in TREC, exact match and F1 as in SQuAD, with two
exceptions. Articles ("the") are kept. Punctuation separates words, so "well-known" is two words; SQuAD
deletes the punctuation, so that it is the single word "wellknown".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+")
PERMUTATIONS = 10_000


def order(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the indices that sort scores in descending order; equal scores keep their order.

    >>> order(np.array([1.0, 3.0, 3.0])).tolist()
    [1, 2, 0]
    """
    ranked: NDArray[np.int64] = np.argsort(-scores, kind="stable")
    return ranked


def average_precision(ranked: Sequence[int], relevant: set[int]) -> float:
    """Compute the average precision, 0 to 1: the mean of the precision at the ranks of the relevant items.

    In the example, items 7 and 9 are relevant. They have the ranks 1 and 4: (1/1 + 2/4) / 2.

    >>> average_precision([7, 1, 2, 9], {7, 9})
    0.75
    """
    hits, total = 0, 0.0
    for rank, item in enumerate(ranked, 1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant)


def measure_error_distance(top: int, relevant: set[int]) -> int:
    """Return the distance from the top paragraph to the nearest quoted paragraph, counted in paragraphs.

    `top` and `relevant` are ordinals. The distance is 0 if the top paragraph is quoted.

    >>> measure_error_distance(7, {2, 9}), measure_error_distance(9, {2, 9})
    (2, 0)
    """
    return min(abs(top - ordinal) for ordinal in relevant)


def split_words(text: str) -> list[str]:
    """Return the words of a text, case folded, without punctuation.

    >>> split_words("We, the people!")
    ['we', 'the', 'people']
    """
    return WORD.findall(text.casefold())


def match_exactly(predicted: str, quoted: str) -> bool:
    """Return whether both texts have the same words in the same order.

    >>> match_exactly("We the people", "we, the people")
    True
    """
    return split_words(predicted) == split_words(quoted)


def compute_f1(predicted: str, quoted: str) -> float:
    """Compute the harmonic mean of precision and recall over bags of words; 0 to 1.

    Return 0 if either text has no word. In the example, two of the three predicted words are right, and two
    of the four quoted words are found: 2 * (2/3 * 1/2) / (2/3 + 1/2).

    >>> round(compute_f1("the people now", "we the people of"), 4)
    0.5714
    """
    ours, theirs = Counter(split_words(predicted)), Counter(split_words(quoted))
    shared = sum((ours & theirs).values())
    if not shared:
        return 0.0
    return 2 * shared / (sum(ours.values()) + sum(theirs.values()))


def run_permutation_test(
    a: Sequence[float], b: Sequence[float], clusters: Sequence[str], *, seed: int = 0
) -> float:
    """Return p of the paired two-sided permutation (sign-flip) test that a and b have the same mean.

    `clusters` names the cluster of each pair (value of a, value of b). Pairs of one cluster, such as drafts
    that quote the same speech, depend on each other, so their signs flip together. With 10,000 random flips,
    p is (1 + number of flips with a difference at least as large) / (1 + 10,000). So p is never 0. Without
    pairs, p is 1.

    Source: "A comparison of statistical significance tests for information retrieval evaluation" (CIKM 2007),
    randomisation test. 1 is added to both numbers as in Phipson and Smyth (2010).

    >>> ones, zeros = [1.0] * 20, [0.0] * 20
    >>> run_permutation_test(ones, zeros, list("abcdefghijklmnopqrst")) < 0.001
    True
    >>> run_permutation_test(ones, zeros, ["one speech"] * 20)
    1.0
    """
    members = np.unique(np.asarray(clusters, np.str_), return_inverse=True)[1]
    differences = np.bincount(members, weights=np.asarray(a, np.float64) - np.asarray(b, np.float64))
    observed = abs(differences.sum())
    chance = np.random.default_rng(seed)
    extreme = 0
    for _ in range(PERMUTATIONS // 100):
        signs = chance.integers(0, 2, (100, len(differences))) * 2 - 1
        extreme += int((np.abs(signs @ differences) >= observed - 1e-12).sum())
    return (1 + extreme) / (1 + PERMUTATIONS)
