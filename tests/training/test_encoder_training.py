"""What the encoder is taught: a draft and its quote are close, everything else in the batch is not."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rostrum.training.encoder import PairRow, pair_loss  # noqa: E402

EYE = torch.eye(3)


@pytest.fixture
def speeches():
    """Three paragraphs of one speech, each of one token that is also its direction."""
    return SimpleNamespace(paragraphs={"d": [np.array([i], np.int32) for i in range(3)]})


def directions(texts):
    return EYE[[int(text[0]) for text in texts]]


@pytest.mark.parametrize(
    ("draft", "drawn", "loss"),
    [
        (1, 0, 0.0),  # where its own is, another one is drawn
        (1, 1, 0.0),  # the quoted one is drawn, and left out
        (0, 1, 0.0),
        (0, 0, 20.0),  # where the other one is: a cosine of 1 by a temperature of 0.05
        (0, 2, math.log(2)),  # where neither is
    ],
)
def test_another_paragraph_of_the_speech_is_a_wrong_answer(speeches, draft, drawn, loss):
    row = PairRow(np.array([draft], np.int32), "d", 1)
    chance = SimpleNamespace(randrange=lambda count: drawn)
    assert pair_loss(directions, [row], speeches, chance).item() == pytest.approx(loss, abs=1e-6)
