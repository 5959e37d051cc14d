"""What the encoder is taught: a draft and its quote are close, everything else in the batch is not."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from reranker.wordpieces import WordPieces  # noqa: E402
from rostrum.service.shipped import shipped  # noqa: E402
from rostrum.training.encoder import PairRow, news_batches, pair_loss  # noqa: E402
from rostrum.training.recipe import EncoderRecipe  # noqa: E402

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


def test_quotations_of_an_article_stand_side_by_side_and_short_batches_are_dropped(tmp_path):
    rows = [
        {"article": f"a{i // 2}", "title": f"title {i // 2}", "left": "He said.", "quote": f"quote {i}"}
        for i in range(10)
    ]
    news = tmp_path / "news-quotes.jsonl"
    news.write_text("".join(json.dumps(row) + "\n" for row in rows))
    pieces = WordPieces(shipped("models") / "tokenizer.json")
    made = news_batches(news, pieces, EncoderRecipe(news_rows=10, news_batch=4))
    assert [len(batch) for batch in made] == [4, 4]
    for batch in made:
        for first, second in zip(batch[::2], batch[1::2], strict=True):
            assert first[0].tolist() == second[0].tolist()  # the draft, title and context, of one article
            assert first[1].tolist() != second[1].tolist()
    assert news_batches(tmp_path / "none.jsonl", pieces, EncoderRecipe()) == []
