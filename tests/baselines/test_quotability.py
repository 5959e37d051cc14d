"""What makes a paragraph quotable: features by hand, and an input that tells is found to."""

import numpy as np
import pytest

pytest.importorskip("vaderSentiment")

from benchmarks.quotability import NEW, PLURAL, applauded, cross_fitted, sentiment, share_of, with_new
from reranker.fusion import MERGED, STAGES, FusionWeights
from rostrum.evaluation.score_table import Row

FLAT = dict.fromkeys(STAGES, 0.0)
WEIGHTS = FusionWeights(FLAT, FLAT, {**dict.fromkeys(MERGED, 0.0), "lexical": 1.0}, 0.0, 0.0, 1.0)


def row(relevant, new):
    nothing = np.zeros(4)
    parts = dict.fromkeys((*STAGES, "length"), nothing) | {"lexical": np.array([0.02, 0.01, 0.0, 0.0])}
    return Row(parts | {NEW: np.array(new, float)}, nothing, nothing, frozenset({relevant}))


def test_applause_is_that_of_the_paragraph_or_of_a_direction_behind_it():
    texts = ["We will win. (Applause.)", "We thank you.", "(Cheers and applause.)", "I applaud you.", "Yes."]
    assert applauded(texts) == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_shares_are_of_words():
    assert share_of(PLURAL)(["We know our way.", "", "I do."]) == [0.5, 0.0, 0.0]


def test_sentiment_has_a_sign():
    good, bad = sentiment()(["This is a wonderful, happy day.", "This is a terrible disaster."])
    assert good > 0 > bad


@pytest.mark.parametrize(
    ("new", "precision"), [([0, 0, 0, 2], 1.0), ([2, 0, 0, 0], 1 / 3), ([0, 0, 0, 0], 0.25)]
)
def test_an_input_that_tells_gets_a_weight_of_the_sign_that_it_needs(new, precision):
    rows = [row(3, new) for _ in range(4)]
    assert cross_fitted(rows, ["a", "b", "c", "d"], WEIGHTS).tolist() == pytest.approx([precision] * 4)


def test_the_other_weights_stay():
    assert dict(with_new(WEIGHTS, 0.3).paragraph) == {**WEIGHTS.paragraph, NEW: 0.3}
