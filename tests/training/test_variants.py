"""Drafts with less or more in them."""

from dataclasses import replace

import pytest

from evaluation.pairs import Pair
from evaluation.variants import (
    begin_sentence,
    list_ablations,
    list_draft_parts,
    shorten_context,
    vary_rows,
)

PAIR = Pair("p", "Title", "One two three. Four five", "", "d", (), False, lead_in="He said")


def test_the_context_is_shortened_to_its_last_wordpieces(models):
    # "." is a WordPiece of its own: of one two three . four five the last three are . four five
    assert shorten_context(models.wordpieces, 3)(PAIR).left == ". Four five"
    assert shorten_context(models.wordpieces, 6)(PAIR).left == PAIR.left
    assert shorten_context(models.wordpieces, 50)(PAIR).left == PAIR.left


@pytest.mark.parametrize("left", ["", "one two"])
def test_a_short_context_stays_as_it_is(models, left):
    pair = Pair("p", "T", left, "", "d", (), False)
    assert shorten_context(models.wordpieces, 10)(pair) == pair


def test_each_ablation_leaves_out_what_its_name_says(models):
    changes = list_ablations(models.wordpieces)
    assert list(changes) == ["no title", "context of 50", "context of 25", "context of 10"]
    assert (changes["no title"](PAIR).title, changes["no title"](PAIR).left) == ("", PAIR.left)
    long = Pair("p", "T", "word " * 40, "", "d", (), False)
    assert len(changes["context of 25"](long).left.split()) == 25


def test_a_begun_sentence_ends_the_context():
    assert begin_sentence(PAIR).left == "One two three. Four five He said"


def test_parts_are_put_into_the_drafts_that_have_them_and_into_nothing_else():
    bare = Pair("q", "Title", "Left", "", "d", (), False)
    followed = replace(bare, id="r", right="He left.", lead_in="They said")
    parts = list_draft_parts([PAIR, bare, followed])
    assert [(pair.id, pair.left, pair.right) for pair in parts["begun sentence"].whole] == [
        ("p begun", "One two three. Four five He said", ""),
        ("r begun", "Left They said", ""),
    ]
    assert [pair.id for pair in parts["begun sentence"].without] == ["p", "r"]
    after = parts["text after it"]
    assert [(pair.id, pair.left, pair.right) for pair in after.whole] == [("r followed", "Left", "He left.")]
    assert after.without == [replace(followed, right="")]


def test_variants_have_ids_of_their_own():
    (changed,) = vary_rows([PAIR], "begun", begin_sentence)
    assert (changed.id, changed.document) == ("p begun", "d")
