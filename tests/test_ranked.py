"""How much of the order is the ranker's when it reads only the first few."""

import numpy as np

from benchmarks.ranked import first_ranked
from reranker.fusion import FusionWeights
from rostrum.evaluation.score_table import Row, ScoreTable

WEIGHTS = FusionWeights({}, {"lexical": 1.0}, {"lexical": 0.0}, model=1.0, alpha=0.0, beta=1.0)


def order_of(count):
    """The order of drafts with four and two paragraphs; the ranker turns the first stage's about."""
    rows = [
        Row({"lexical": -np.arange(n, dtype=float)}, 1000.0 * np.arange(n), np.zeros(n), frozenset({0}))
        for n in (4, 2)
    ]
    scores = first_ranked(ScoreTable(rows), WEIGHTS, count)
    return [np.argsort(-row[:n]).tolist() for row, n in zip(scores, (4, 2), strict=True)]


def test_the_first_few_come_in_the_rankers_order_and_the_rest_behind_them():
    assert order_of(0) == [[0, 1, 2, 3], [0, 1]]
    assert order_of(3) == [[2, 1, 0, 3], [1, 0]]
    assert order_of(100) == [[3, 2, 1, 0], [1, 0]]
