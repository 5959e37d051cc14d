"""A table of scores says of all rows at once what each row says by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import average_precision, order
from evaluation.score_table import Row, ScoreTable
from reranker.fusion import FusionWeights, fuse_late
from reranker.signals import MERGED

WEIGHTS = FusionWeights(
    {}, {}, {**dict.fromkeys(MERGED, 0.0), "lexical": 0.5, "dense": -1.5}, model=0.25, alpha=0.5, beta=2.0
)
SCORES = st.integers(-2, 2).map(float)  # few, so that many are equal


@st.composite
def rows(draw):
    """A draft's candidates, at least one of them relevant."""
    count = draw(st.integers(1, 6))
    lexical, dense, model, span = (
        np.array(draw(st.lists(SCORES, min_size=count, max_size=count))) for _ in range(4)
    )
    relevant = draw(st.sets(st.integers(0, count - 1), min_size=1))
    return Row({"lexical": lexical, "dense": dense}, model, span, frozenset(relevant))


def summed(row, weights):
    return sum(weights[name] * part for name, part in row.parts.items())


def test_a_sum_weighs_the_parts_that_have_a_weight():
    parts = {"lexical": [1.0, 2.0, 3.0, 4.0], "dense": [0.0, 1.0, 0.0, 1.0], "follows": [9.0, 9.0, 9.0, 9.0]}
    one = Row({k: np.array(v) for k, v in parts.items()}, np.zeros(4), np.zeros(4), frozenset({0}))
    assert ScoreTable([one]).sum_parts({"lexical": 2.0, "dense": -1.0}).tolist() == [[2.0, 3.0, 6.0, 7.0]]


def test_recall_counts_drafts_with_a_quoted_paragraph_among_the_first():
    falling = {"lexical": np.array([4.0, 3.0, 2.0, 1.0])}
    table = ScoreTable([Row(falling, np.zeros(4), np.zeros(4), frozenset({quoted})) for quoted in (2, 0)])
    assert [table.recall(table.sum_parts({"lexical": 1.0}), k) for k in (1, 2, 3)] == [0.5, 0.5, 1.0]


@given(st.lists(rows(), min_size=1, max_size=5))
def test_average_precision_and_recall_are_those_of_each_row_whatever_is_equal(some):
    table, weights = ScoreTable(some), {"lexical": 1.0, "dense": -1.0}
    scores = table.sum_parts(weights)
    ranked = [order(summed(row, weights)).tolist() for row in some]
    expected = [average_precision(r, set(row.relevant)) for r, row in zip(ranked, some, strict=True)]
    assert table.compute_precisions(scores) == pytest.approx(expected)
    assert table.compute_mean_ap(scores) == pytest.approx(np.mean(expected))
    for k in (1, 3):
        hits = [bool(row.relevant & set(r[:k])) for r, row in zip(ranked, some, strict=True)]
        assert table.recall(scores, k) == pytest.approx(np.mean(hits))


@given(st.lists(rows(), min_size=1, max_size=5))
def test_candidates_are_ordered_as_late_fusion_orders_them(some):
    fused = ScoreTable(some).fuse(WEIGHTS)
    for row, scores in zip(some, fused, strict=True):
        count = len(row.model)
        late = fuse_late(row.model, row.span, summed(row, WEIGHTS.paragraph), WEIGHTS)
        own = scores[:count]
        assert own - own.max() == pytest.approx(late - late.max(), abs=1e-9)
        assert np.isneginf(scores[count:]).all()


def test_a_row_with_nothing_relevant_counts_as_missed():
    found = Row({"lexical": np.array([1.0, 0.0])}, np.zeros(2), np.zeros(2), frozenset({0}))
    missed = Row({"lexical": np.array([1.0, 0.0])}, np.zeros(2), np.zeros(2), frozenset())
    table = ScoreTable([missed, found])
    assert table.recall(table.sum_parts({"lexical": 1.0}), 1) == 0.5
