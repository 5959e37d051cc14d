"""What the encoder is taught: a draft and its quote are close, everything else in the batch is not."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402

from rostrum_core.types import Draft  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402
from training.encoder import Encoder, PairData, PairRow, compute_pair_loss, plan_passes  # noqa: E402

EYE = torch.eye(3)
DRAFT = Draft("", "")


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
    row = PairRow(DRAFT, np.array([draft], np.int32), "d", 1, (1,))
    chance = SimpleNamespace(randrange=lambda count: drawn)
    assert compute_pair_loss(directions, [row], speeches, chance).item() == pytest.approx(loss, abs=1e-6)


def test_the_wrong_answer_is_a_hard_one_where_paragraphs_are_known_to_be(speeches):
    # The draft is where paragraph 0 is, which is as hard as can be, and costs a cosine of 1.
    row = PairRow(DRAFT, np.array([0], np.int32), "d", 1, (1,))
    hardest_only = SimpleNamespace(choice=lambda some: some[0])
    found = compute_pair_loss(directions, [row], speeches, hardest_only, [np.array([2.0, 3.0, 1.0])])
    assert found.item() == pytest.approx(20.0, abs=1e-6)


def test_paragraphs_of_one_quote_are_no_wrong_answers_of_each_other(speeches):
    # The draft is where paragraph 0 is; 1 and 2 are drawn beside 0 and 1. The first has 0 against 2 alone,
    # which costs nothing; the second row has 1 against 2, both as far from the draft: log 2.
    draft = np.array([0], np.int32)
    first, second = (PairRow(DRAFT, draft, "d", ordinal, (0, 1)) for ordinal in (0, 1))
    drawn = iter((1, 2))
    chance = SimpleNamespace(randrange=lambda count: next(drawn))
    found = compute_pair_loss(directions, [first, second], speeches, chance).item()
    assert found == pytest.approx(math.log(2) / 2, abs=1e-6)


def test_rows_know_all_paragraphs_of_their_quote(tmp_path, models):
    speech = {"id": "d", "title": "T", "paragraphs": ["One.", "Two.", "Three."]}
    place = {"paragraph": 0, "last_paragraph": 1, "start": 0, "end": 4}
    pair = {"id": "p", "title": "T", "left": "L", "document": "d", **place}
    (tmp_path / "documents.jsonl.gz").write_text(json.dumps(speech))
    (tmp_path / "pairs-train.jsonl.gz").write_text(json.dumps(pair))
    rows = PairData(tmp_path, "train", models.wordpieces).rows
    assert [(row.ordinal, row.quoted) for row in rows] == [(0, (0, 1)), (1, (0, 1))]


def test_a_base_stored_in_bfloat16_is_read(tmp_path):
    base = write_base(tmp_path / "base")
    wide = Encoder(base, 1, 1)
    stored = load_file(base / "model.safetensors")
    save_file({name: value.bfloat16() for name, value in stored.items()}, base / "model.safetensors")
    torch.testing.assert_close(Encoder(base, 1, 1).words, wide.words, rtol=0.01, atol=0.005)


def test_a_gpu_takes_in_one_pass_what_a_cpu_takes_in_several():
    lengths = [500] * 30
    assert len(plan_passes(lengths, 1000, torch.device("cpu"))) == 15
    assert len(plan_passes(lengths, 1000, torch.device("cuda"))) == 1
