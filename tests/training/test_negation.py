"""Planted changes change one thing, and say which."""

import random

import pytest

from training.negation import CHANGES, change_text
from training.quote_data import make_distortions, shift, truncate

ROW = {
    "quote": "If they agree, we will not raise more than 30 taxes.",
    "archive": "If they agree, we will not raise more than 30 taxes",
}


@pytest.mark.parametrize("kind", CHANGES)
def test_each_kind_leaves_a_text_without_its_mark_alone(kind):
    assert CHANGES[kind]("Hello.", random.Random(0)) is None


def test_a_change_is_named_by_its_kind():
    assert change_text("We will win 30 seats.", random.Random(0), ("figure changed",))[1] == "figure changed"
    assert change_text("Hello.", random.Random(0)) is None


def test_a_cut_condition_leaves_the_rest():
    assert truncate("If we do nothing, the whole system will fail next year.", random.Random(0)) == (
        "the whole system will fail next year."
    )
    assert truncate("The whole system will fail next year.", random.Random(0)) is None


def test_a_shifted_quotation_ends_with_words_of_another():
    words = "one two three four five six seven eight nine ten"
    shifted = shift(words, words.upper(), random.Random(0))
    assert shifted.split()[0].islower()
    assert shifted.split()[-1].isupper()
    assert shift("too short", words, random.Random(0)) is None


def test_distortions_differ_from_the_quotation():
    made = make_distortions(ROW, "", random.Random(3), 3)
    assert len(made) == 3
    assert all(text != ROW["quote"] for text, _ in made)
