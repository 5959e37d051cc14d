"""The runner in this process: answers in order or a TaskError, all of it through the codec."""

import numpy as np
import pytest

from rostrum.core.errors import ModelError, TaskError
from workers.inline import InlineRunner
from workers.payloads import encodings_of, joined, parted


@pytest.fixture
def runner(models):
    return InlineRunner(lambda: models)


def test_answers_come_in_the_order_of_the_payloads(runner):
    texts = ["We choose to go to the moon.", "Ask not what your country can do for you."]
    apart = runner.run("encode", [{"texts": [text]} for text in texts], timeout_s=60)
    together = runner.run("encode", [{"texts": texts}], timeout_s=60)[0]
    for i, answer in enumerate(apart):
        np.testing.assert_allclose(answer["vectors"][0], together["vectors"][i], atol=1e-5)
        assert parted(answer["tokens"])[0].ids.tolist() == parted(together["tokens"])[i].ids.tolist()


def test_vectors_are_rows_of_length_one(runner):
    answer = runner.run("encode", [{"texts": ["One.", "Two words here.", ""]}], timeout_s=60)[0]
    assert answer["vectors"].shape == (3, 384)
    np.testing.assert_allclose(np.linalg.norm(answer["vectors"], axis=1), 1, atol=1e-5)


def test_no_texts_are_no_encodings(runner):
    assert encodings_of(runner.run("encode", [{"texts": []}], timeout_s=60)[0]) == []


def test_ranking_gives_a_score_and_a_span_inside_each_paragraph(runner):
    texts = ["We choose to go to the moon.", "A", "The cost of living rose again " * 60]
    draft = runner.run("draft", [{"title": "Moon", "left": "He spoke in Houston."}], timeout_s=60)[0]
    encoded = encodings_of(runner.run("encode", [{"texts": texts}], timeout_s=60)[0])
    payload = {"query": draft["query"], "texts": texts, "tokens": joined([e.tokens for e in encoded])}
    answer = runner.run("rank", [payload], timeout_s=60)[0]
    assert answer["scores"].shape == answer["span_scores"].shape == (3,)
    for text, (start, end) in zip(texts, answer["spans"], strict=True):
        assert 0 <= start < end <= len(text)


def test_an_overlong_paragraph_is_scored_by_its_best_window(runner):
    moon = "We choose to go to the moon in this decade and do the other things. "
    filler = "The committee adjourned until the following Tuesday without a vote. "
    text = filler * 40 + moon + filler * 40
    draft = {"title": "To the moon", "left": "Kennedy spoke in Houston about the moon and this decade."}
    query = runner.run("draft", [draft], timeout_s=60)[0]["query"]
    scores = {}
    for name, paragraph in {"whole": text, "without": filler * 80}.items():
        encoded = encodings_of(runner.run("encode", [{"texts": [paragraph]}], timeout_s=60)[0])
        payload = {"query": query, "texts": [paragraph], "tokens": joined([encoded[0].tokens])}
        scores[name] = float(runner.run("rank", [payload], timeout_s=60)[0]["scores"][0])
    assert scores["whole"] > scores["without"]


@pytest.mark.parametrize(
    ("task", "payload"),
    [
        ("fly", {}),
        ("encode", {}),
        ("encode", {"texts": {1, 2}}),
        ("rank", {"query": 1, "texts": ["a"], "tokens": {}}),
        ("draft", {"title": float("nan"), "left": ""}),
    ],
)
def test_what_cannot_be_worked_on_is_a_task_error(runner, task, payload):
    with pytest.raises(TaskError):
        runner.run(task, [payload], timeout_s=60)


def test_nothing_is_begun_after_the_deadline(runner):
    with pytest.raises(TaskError, match="0 of 1 parts"):
        runner.run("encode", [{"texts": ["a"]}], timeout_s=-1)


def test_models_that_cannot_be_loaded_are_a_model_error(tmp_path):
    from reranker.models import Models

    with pytest.raises(ModelError):
        InlineRunner(lambda: Models(tmp_path)).run("encode", [{"texts": []}], timeout_s=60)
