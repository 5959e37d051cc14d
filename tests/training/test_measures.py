"""trec_eval's measures, against arithmetic by hand and against the formulas of the fit."""

import numpy as np
import pytest

from evaluation.measures import measure_rankings
from evaluation.metrics import average_precision


def test_measures_are_what_arithmetic_says():
    # relevant at ranks 2 and 3 of the first, (1/2 + 2/3) / 2; one of two found in the second, at rank 4.
    found = measure_rankings([[9, 4, 7], [1, 2, 3, 8]], [{4, 7}, {8, 99}])
    assert found["map"] == pytest.approx([7 / 12, 1 / 8], abs=1e-4)
    assert found["mrr"] == pytest.approx([1 / 2, 1 / 4], abs=1e-4)
    assert found["acc@1"] == [0.0, 0.0]
    assert found["acc@3"] == [1.0, 0.0]
    assert found["acc@5"] == [1.0, 1.0]


def test_a_ranking_without_items_counts_as_nothing_found():
    assert measure_rankings([[], [1]], [{1}, {1}]) == {
        "map": [0.0, 1.0], "mrr": [0.0, 1.0], "acc@1": [0.0, 1.0], "acc@3": [0.0, 1.0], "acc@5": [0.0, 1.0],
    }  # fmt: skip


def test_items_of_two_digits_keep_their_ranks():
    # names are compared as text by trec_eval where scores tie: no two may
    ranking = list(range(30))
    assert measure_rankings([ranking], [{12}], [12, 13])["acc@12"] == [0.0]
    assert measure_rankings([ranking], [{12}], [12, 13])["acc@13"] == [1.0]


def test_library_and_formulas_agree_on_chance_rankings():
    chance = np.random.default_rng(11)
    rankings = [chance.permutation(40).tolist() for _ in range(50)]
    relevant = [set(chance.choice(60, chance.integers(1, 4), replace=False).tolist()) for _ in range(50)]
    found = measure_rankings(rankings, relevant)
    ours = [average_precision(ranked, quoted) for ranked, quoted in zip(rankings, relevant, strict=True)]
    assert found["map"] == pytest.approx(ours, abs=1e-4)
    assert found["acc@5"] == [float(bool(q & set(r[:5]))) for r, q in zip(rankings, relevant, strict=True)]
