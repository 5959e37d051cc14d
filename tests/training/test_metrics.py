"""Figures by arithmetic."""

import numpy as np
import pytest

from evaluation.metrics import (
    average_precision,
    compute_f1,
    match_exactly,
    measure_error_distance,
    order,
    run_permutation_test,
)


def test_average_precision_of_one_relevant_item_is_its_reciprocal_rank():
    assert average_precision([4, 2, 9], {9}) == pytest.approx(1 / 3)


def test_a_relevant_item_that_is_missing_counts_as_nothing():
    # one of two relevant items found, at rank 2: (1/2 + 0) / 2
    assert average_precision([5, 1], {1, 8}) == 0.25


def test_ties_are_broken_by_position():
    assert order(np.array([0.5, 2.0, 0.5, 2.0])).tolist() == [1, 3, 0, 2]


def test_the_error_distance_is_to_the_nearest_of_several_quoted_paragraphs():
    assert measure_error_distance(5, {3, 9}) == 2  # 5 - 3, not 9 - 5
    assert measure_error_distance(9, {3, 9}) == 0


def test_exact_match_ignores_case_and_punctuation_but_no_word():
    assert match_exactly(
        "the only thing we have to fear is fear itself", "The only thing, we have to fear is—fear itself!"
    )
    assert not match_exactly("only thing we have to fear", "the only thing we have to fear")


def test_f1_counts_a_repeated_word_as_often_as_both_have_it():
    # "fear" twice of three words against "fear" once of two words: shared 1; 2 * 1 / (3 + 2)
    assert compute_f1("fear is fear", "fear itself") == pytest.approx(2 / 5)


def test_f1_of_nothing_is_nothing():
    assert compute_f1("", "word") == compute_f1("word", "...") == 0.0


def test_the_permutation_test_agrees_with_counting_all_sign_flips():
    # differences 1, 1, 1, 1: of 16 flips only ++++ and ---- have a sum as far from 0 as 4. p = 2/16.
    assert run_permutation_test([1, 1, 1, 1], [0, 0, 0, 0], list("abcd")) == pytest.approx(2 / 16, abs=0.015)


def test_drafts_that_quote_one_speech_are_flipped_together():
    # two speeches of two drafts each: of 4 flips ++ and -- have a sum as far from 0 as 4. p = 2/4.
    assert run_permutation_test([1, 1, 1, 1], [0, 0, 0, 0], list("aabb")) == pytest.approx(2 / 4, abs=0.02)


def test_the_permutation_test_is_repeatable_and_symmetric():
    chance = np.random.default_rng(3)
    a, b = chance.random(50), chance.random(50)
    apart = [str(i) for i in range(50)]
    assert (
        run_permutation_test(a, b, apart)
        == run_permutation_test(a, b, apart)
        == run_permutation_test(b, a, apart)
    )


def test_noise_is_seldom_significant():
    chance = np.random.default_rng(5)
    apart = [str(i) for i in range(30)]
    found = [
        run_permutation_test(chance.random(30), chance.random(30), apart, seed=i) < 0.05 for i in range(60)
    ]
    assert sum(found) <= 9  # 3 expected; more than 9 of 60 at 5 % has a chance below 0.2 %
