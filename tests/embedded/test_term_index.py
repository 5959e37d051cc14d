import random

import numpy as np
import pytest

from embedded.lexical import LexicalIndex
from embedded.term_index import TermIndex

DRAW = random.Random(1)
WORDS = [f"w{number}x" for number in range(300)] + ["naïve", "Ελλάδα", "the", "x\ud800y"]
TEXTS = [
    " ".join(DRAW.choices(WORDS, [1 / (rank + 1) for rank in range(len(WORDS))], k=length))
    for length in [0, 3, *range(1, 120), 150, 200, 333, 1000]
]


def score_by_tantivy(query: str, numbers: np.ndarray) -> list[float]:
    scores = LexicalIndex.in_memory(TEXTS).score_texts(query, numbers.tolist())
    return [np.nan if score is None else score for score in scores]


QUERIES = ["w1x w2x w250x", "w3x W3X naïve w7x w3x", "ελλάδα x\ud800y", "the", "new", ""]


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_scores_are_those_of_tantivy(query: str) -> None:
    numbers = np.array([*range(len(TEXTS))][::-2])
    terms = LexicalIndex.in_memory([]).count_terms(query)
    scores = TermIndex.build(TEXTS).score(terms, numbers)
    assert scores.tolist() == pytest.approx(score_by_tantivy(query, numbers), rel=1e-6, nan_ok=True)


def test_a_score_does_not_depend_on_the_other_texts_that_are_scored() -> None:
    index, query = TermIndex.build(TEXTS), [(f"w{number}x", 1) for number in range(48)]
    every = index.score(query, np.arange(len(TEXTS)))
    for number in range(0, len(TEXTS), 7):
        np.testing.assert_array_equal(index.score(query, np.array([number])), [every[number]])


def test_an_index_of_no_texts_and_of_texts_without_terms() -> None:
    assert TermIndex.build([]).score([("new", 1)], np.empty(0, np.int64)).tolist() == []
    assert np.isnan(TermIndex.build(["the", ""]).score([("new", 1)], np.array([1, 0]))).all()
