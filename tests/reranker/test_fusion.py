"""Fusion by arithmetic worked out by hand."""

import math

import numpy as np
import pytest

from reranker.fusion import FusionWeights, fuse_late, log_softmax, read_weights, sum_weighted
from reranker.signals import DEFAULTS
from rostrum_core.errors import ModelError

TOLD = {
    "candidates": {
        "lexical": 1,
        "dense": 2,
        "document": 3,
        "quoted": 0.5,
        "follows": 0.5,
        "around": 0.0,
        "recency": 0.4,
    },
    "within": {
        "lexical": 1,
        "dense": 0.75,
        "document": 0,
        "quoted": 0,
        "follows": 0.5,
        "around": 0.0,
        "recency": 0.0,
    },
    "paragraph": {
        "lexical": 0.5,
        "dense": 0.25,
        "document": 0,
        "quoted": 0,
        "follows": 0.5,
        "around": 0,
        "recency": 0.3,
        "length": 0.5,
    },
    "model": 1,
    "alpha": 3,
    "beta": 9.5,
}
for known in (TOLD["candidates"], TOLD["within"], TOLD["paragraph"]):
    known |= {"exact": 0.0, "named": 1.0}


def test_a_missing_score_stands_at_the_minimum_of_its_stage():
    # lexical 4, missing -> 0, 0: mean 4/3, deviation sqrt(32/9) = 1.8856; z = 1.4142, -0.7071, -0.7071
    found = sum_weighted({"lexical": [4.0, None, 0.0]}, {"lexical": 1.0})
    assert found == pytest.approx([math.sqrt(2), -math.sqrt(2) / 2, -math.sqrt(2) / 2])


@pytest.mark.parametrize("stage", ["recency", "follows"])
def test_a_log_of_a_probability_counts_as_it_is_whatever_the_others_are(stage):
    # a third, older candidate would change z-scores; what lies between the first two stays 2 * (3 - 1)
    for others in ([], [-9.0]):
        found = sum_weighted({stage: [-1.0, -3.0, *others]}, {stage: 2.0})
        assert found[0] - found[1] == pytest.approx(4.0)


def test_among_paragraphs_of_one_speech_recency_changes_no_share_of_the_answer():
    weights = FusionWeights({}, {}, {}, model=1.0, alpha=0.0, beta=1.0)
    model, span = np.array([0.3, 1.2, -0.7]), np.zeros(3)
    lexical = [2.0, None, 5.0]
    without, within = (
        fuse_late(
            model, span, sum_weighted({"lexical": lexical, "recency": [-6.2] * 3}, weights_used), weights
        )
        for weights_used in ({"lexical": 1.0, "recency": 0.0}, {"lexical": 1.0, "recency": 0.8})
    )
    assert within == pytest.approx(without)


def test_weights_of_another_version_are_refused_with_what_is_missing():
    weights_used = {
        name: {k: v for k, v in TOLD[name].items() if k != "follows"} for name in ("candidates", "within")
    }
    with pytest.raises(ModelError, match="'follows' is missing"):
        read_weights(TOLD | weights_used)


def test_a_stage_that_was_skipped_changes_no_order():
    with_it = sum_weighted({"lexical": [1.0, 2.0], "dense": [None, None]}, {"lexical": 1.0, "dense": 5.0})
    assert with_it.tolist() == sum_weighted({"lexical": [1.0, 2.0]}, {"lexical": 1.0}).tolist()


def test_softmax_of_huge_logits_does_not_overflow():
    assert np.exp(log_softmax(np.array([1e4, 1e4]))).tolist() == [0.5, 0.5]


def test_late_fusion_is_the_logarithm_of_the_papers_product():
    weights = FusionWeights({}, {}, {}, model=2.0, alpha=3.0, beta=9.5)
    # p(span) = softmax(ln 1, ln 3) = 1/4, 3/4; p(paragraph) = softmax(2 * ln 2 + 0, 2 * 0 + ln 1) = 4/5, 1/5
    found = fuse_late(
        np.array([math.log(2), 0.0]), np.array([0.0, math.log(3)]), np.array([0.0, 0.0]), weights
    )
    products = [(1 / 4) ** 3 * (4 / 5) ** 9.5, (3 / 4) ** 3 * (1 / 5) ** 9.5]
    assert np.exp(found) == pytest.approx(products)


def test_weights_are_read_by_name():
    weights = read_weights(TOLD)
    assert weights.candidates == {**DEFAULTS, **TOLD["candidates"]}
    assert (weights.model, weights.alpha, weights.beta) == (1, 3, 9.5)


def test_a_signal_that_weights_do_not_know_has_its_default():
    assert set(DEFAULTS) == {"begun", "announced", "retold", "fresh", "names"}
    known = {**TOLD, "paragraph": {**TOLD["paragraph"], "fresh": 2.0}}
    assert read_weights(known).paragraph["fresh"] == 2.0
    assert read_weights(known).within["fresh"] == DEFAULTS["fresh"]


@pytest.mark.parametrize("missing", ["candidates", "within", "paragraph", "model", "alpha", "beta"])
def test_a_missing_weight_is_a_model_error(missing):
    with pytest.raises(ModelError, match=missing):
        read_weights({name: value for name, value in TOLD.items() if name != missing})
