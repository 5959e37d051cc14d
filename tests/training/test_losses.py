"""Losses of a ranker, against arithmetic by hand."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from training.losses import (  # noqa: E402
    LOSSES,
    compute_distillation,
    compute_listwise,
    compute_pairwise,
    compute_pointwise,
    compute_shared_norm,
)
from training.recipe import LOSSES as NAMES  # noqa: E402
from training.recipe import RankerRecipe, parse_recipe  # noqa: E402

SCORES = torch.tensor([[2.0, 0.0, 1.0], [0.0, 0.0, 0.0]])


def test_listwise_is_the_softmax_of_the_quoted_paragraph():
    first = -math.log(math.exp(2) / (math.exp(2) + 1 + math.e))
    assert compute_listwise(SCORES).item() == pytest.approx((first + math.log(3)) / 2)


def test_pairwise_is_the_logistic_of_each_difference():
    differences = [2, 1, 0, 0]
    wanted = np.mean([math.log(1 + math.exp(-each)) for each in differences])
    assert compute_pairwise(SCORES).item() == pytest.approx(wanted)


def test_pointwise_asks_of_each_paragraph_whether_it_was_quoted():
    first = [math.log(1 + math.exp(-2)), math.log(2), math.log(1 + math.e)]
    assert compute_pointwise(SCORES).item() == pytest.approx(np.mean([*first, *[math.log(2)] * 3]))


def test_a_student_that_judges_as_its_teacher_has_nothing_to_learn():
    assert compute_distillation(SCORES, SCORES + 5).item() == pytest.approx(
        0, abs=1e-6
    )  # softmaxes are equal
    # one group, teacher 3/4 and 1/4, student 1/2 each: KL = 3/4 log(3/2) + 1/4 log(1/2)
    found = compute_distillation(torch.zeros(1, 2), torch.tensor([[math.log(3), 0.0]]))
    assert found.item() == pytest.approx(0.75 * math.log(1.5) + 0.25 * math.log(0.5))


def test_shared_norm_spreads_over_the_pieces_of_all_paragraphs():
    edges = torch.zeros(1, 2, 3, 2)
    edges[0, 1, 2] = -math.inf  # the second paragraph has two pieces
    edges[0, 0, 1, 1] = math.log(4)
    # start: one of five alike; end: 4 of 4 + 4
    assert compute_shared_norm(edges, [(0, 1)]).item() == pytest.approx((math.log(5) + math.log(2)) / 2)


def test_every_loss_of_a_recipe_is_known_and_the_default_is_the_papers():
    assert tuple(LOSSES) == NAMES
    assert LOSSES[RankerRecipe().loss] is compute_listwise
    assert LOSSES[parse_recipe({"ranker": {"loss": "pairwise"}}).ranker.loss] is compute_pairwise
