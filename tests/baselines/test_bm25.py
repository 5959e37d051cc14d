"""BM25 by arithmetic is that of the product, and k1 and b can be chosen."""

import numpy as np
import pytest

from benchmarks.baselines.bm25 import BM25, K1, B, TermTable, tune
from embedded.lexical import LexicalIndex
from evaluation.metrics import average_precision, order

TEXTS = ["We choose to go to the moon.", "The moon, the moon!", "", "Budgets are debated at length."]


def test_with_the_products_k1_and_b_it_is_the_products_bm25():
    query = "The moon is the choice: the moon"
    wanted = [score or 0.0 for score in LexicalIndex.in_memory(TEXTS).score_texts(query)]
    assert TermTable(TEXTS).compute_scores(query, 1.2, 0.75) == pytest.approx(wanted, rel=1e-6)
    assert wanted[1] > wanted[0] > 0


@pytest.mark.parametrize("b", B)
def test_a_text_without_a_term_has_0(b):
    assert TermTable(TEXTS).compute_scores("moon", 1.2, b)[2:].tolist() == [0.0, 0.0]


def test_b_1_takes_lengths_for_all_they_are_and_b_0_for_nothing():
    table = TermTable(["moon", "moon budget budget budget"])
    assert np.ptp(table.compute_scores("moon", 1.2, 0.0)) == 0.0
    assert np.ptp(table.compute_scores("moon", 1.2, 1.0)) > 0.05


def test_every_choice_is_tried_and_a_run_scores_by_the_one_told(test_split):
    found = tune(test_split.pairs, test_split.documents)
    assert set(found) == {(k1, b) for k1 in K1 for b in B}
    first_scores = set()
    for k1, b in ((1.2, 0.75), (0.3, 1.0), (3.0, 0.25)):
        scored = [
            row
            for pair in test_split.pairs
            for row in BM25(k1, b)(test_split.documents[pair.document], [pair])
        ]
        precisions = [average_precision(order(row.scores).tolist(), relevant(row.pair)) for row in scored]
        assert found[k1, b] == pytest.approx(np.mean(precisions))
        first_scores.add(tuple(scored[0].scores))
    assert len(first_scores) == 3  # k1 and b make a difference


def relevant(pair):
    return {part.ordinal for part in pair.parts}
