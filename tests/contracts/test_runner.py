"""What every Runner promises, over each of them: in this process, and on a Celery worker in another."""

import time

import numpy as np
import pytest

from jobs.evidence.job import Ranker
from jobs.evidence.passages import Passage
from rostrum_core.errors import TaskError
from rostrum_core.evidence import Claim
from rostrum_core.types import Placing
from tools.worker_process import WorkerProcess
from workers.app import make_app
from workers.runner.celery_runner import CeleryRunner
from workers.runner.inline import InlineRunner
from workers.runner.payloads import join_placings, join_spans, join_tokens, read_encodings, split_tokens

LONG_S = 90.0
DRAFT = {"title": "Moon", "left": "He spoke in Houston."}


@pytest.fixture(scope="module")
def worker_url(redis_server, tmp_path_factory):
    """A Redis that one worker takes from; it computes as the fixture `models` does."""
    log = tmp_path_factory.mktemp("worker") / "log"
    worker = WorkerProcess(redis_server.url, log, settings={"engine": "onnxruntime"})
    yield redis_server.url if worker.wait_ready() else None
    worker.kill()


@pytest.fixture(params=["inline", "celery"])
def runner(request, models):
    if request.param == "inline":
        return InlineRunner(lambda: models)
    return CeleryRunner(make_app(request.getfixturevalue("worker_url")), "cpu", models.hashes)


def test_answers_come_in_the_order_of_the_payloads(runner):
    texts = [f"Speech number {number} was short." for number in range(12)]
    apart = runner.run("encode", [{"texts": [text]} for text in texts], timeout_s=LONG_S)
    together = runner.run("encode", [{"texts": texts}], timeout_s=LONG_S)[0]
    assert len(apart) == 12
    for i, answer in enumerate(apart):
        np.testing.assert_allclose(answer["vectors"][0], together["vectors"][i], atol=1e-5)
        assert (
            split_tokens(answer["tokens"])[0].ids.tolist() == split_tokens(together["tokens"])[i].ids.tolist()
        )


def test_answers_are_those_of_the_models_bit_for_bit(runner, models):
    answer = runner.run("draft", [DRAFT], timeout_s=LONG_S)[0]
    query = models.wordpieces.tokenise_query(DRAFT["title"], DRAFT["left"])
    assert answer["query"].tolist() == query.tolist()
    assert answer["vector"].tobytes() == models.encoder.encode_query(query).tobytes()


def test_sentences_are_scored_in_the_order_of_their_spans(runner):
    texts = ["It rained. The wall came down. We sang.", "…", "The wall fell."]
    spans = [[(0, 10), (11, 30), (31, 39)], [(0, 0)], [(0, 14)]]
    payload = {"claim": "The wall came down.", "title": "", "texts": texts, "spans": join_spans(spans)}
    answer = runner.run("evidence", [payload], timeout_s=LONG_S)[0]
    assert answer["read"].tolist() == [True, True, True, False, True]
    assert answer["scores"].argmax() == 1
    assert answer["scores"][3] == 0
    np.testing.assert_allclose(answer["stances"].sum(axis=1), 1, atol=1e-5)


def test_estimates_of_sentences_come_before_their_scores(runner, models):
    texts = ["It rained. The wall came down. We sang.", "…", "The wall fell."]
    spans = [[(0, 10), (11, 30), (31, 39)], [(0, 0)], [(0, 14)]]
    payload = {"claim": "The wall came down.", "title": "", "texts": texts, "spans": join_spans(spans)}
    answer = runner.run("evidence_estimate", [payload], timeout_s=LONG_S)[0]
    assert answer["read"].tolist() == [True, True, True, False, True]
    part, tokens = models.get_part("evidence"), models.wordpieces.tokenise(texts)
    estimates = np.concatenate(part.estimate(payload["claim"], tokens, spans))
    np.testing.assert_allclose(answer["scores"][[0, 1, 2, 4]], estimates[[0, 1, 2, 4]], atol=1e-4)
    scored = runner.run("evidence", [payload], timeout_s=LONG_S)[0]
    scores = np.concatenate([one.scores for one in part.score(payload["claim"], tokens, spans)])
    np.testing.assert_allclose(scored["scores"][[0, 1, 2, 4]], scores[[0, 1, 2, 4]], atol=2e-4)


def test_evidence_of_a_long_document_is_the_same_wherever_it_is_computed(runner, models):
    lines = [f"Line {number}: we spoke of the harvest, of ships and of schools." for number in range(300)]
    lines[60] = "The wall came down in November."
    passages = [Passage("d", line, ((0, len(line)),), at) for at, line in enumerate(lines)]
    ranked = []
    for own in (runner, InlineRunner(lambda: models)):
        ranker = Ranker(own, models.calibration, 512, early=True)
        ranked.append(ranker.rank(Claim("The wall fell in November."), passages, limit=5, timeout_s=LONG_S))
    here, there = ([(one.number, one.stance, one.is_estimated) for one in rows] for rows in ranked)
    assert here[:5] == there[:5]
    assert here[0][0] == 60
    assert sum(one.is_estimated for one in ranked[0]) > 10
    for one, other in zip(ranked[0][:5], ranked[1][:5], strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-3)


def test_vectors_are_rows_of_length_one(runner):
    answer = runner.run("encode", [{"texts": ["One.", "Two words here.", ""]}], timeout_s=LONG_S)[0]
    assert answer["vectors"].shape == (3, 384)
    np.testing.assert_allclose(np.linalg.norm(answer["vectors"], axis=1), 1, atol=1e-5)


def test_what_the_draft_quotes_of_some_texts_travels_with_them(runner, models):
    texts = ["We choose to go to the moon. We do it because it is hard.", "Not a word of it.", "We choose."]
    tokens = models.wordpieces.tokenise(texts)
    quoted_pieces = np.arange(len(tokens[0]), dtype=np.int32)
    placings = [
        Placing(quoted_pieces, quoted_pieces[::-1].copy()),
        None,
        Placing(*np.full((2, len(tokens[2])), -1, np.int32)),
    ]
    query = models.wordpieces.tokenise_query(DRAFT["title"], DRAFT["left"])
    payload = {
        "query": query,
        "texts": texts,
        "tokens": join_tokens(tokens),
        "placings": join_placings(placings),
    }
    answer = runner.run("rank", [payload], timeout_s=LONG_S)[0]
    expected = models.ranker.rank(query, texts, tokens, placings)
    assert answer["spans"].tolist() == [[each.span.start_char, each.span.end_char] for each in expected]
    assert answer["span_scores"].tolist() == [each.span.score for each in expected]
    without = models.ranker.rank(query, texts, tokens)
    changed = [a.span.score != b.span.score for a, b in zip(expected, without, strict=True)]
    assert changed == [True, False, True]


def test_no_texts_are_no_encodings(runner):
    assert read_encodings(runner.run("encode", [{"texts": []}], timeout_s=LONG_S)[0]) == []


def test_no_payloads_are_no_answers(runner):
    assert runner.run("encode", [], timeout_s=LONG_S) == []


def test_ranking_gives_a_score_and_a_span_inside_each_paragraph(runner):
    texts = ["We choose to go to the moon.", "A", "The cost of living rose again " * 60]
    draft = runner.run("draft", [DRAFT], timeout_s=LONG_S)[0]
    encoded = read_encodings(runner.run("encode", [{"texts": texts}], timeout_s=LONG_S)[0])
    payload = {"query": draft["query"], "texts": texts, "tokens": join_tokens([e.tokens for e in encoded])}
    answer = runner.run("rank", [payload], timeout_s=LONG_S)[0]
    assert answer["scores"].shape == answer["span_scores"].shape == (3,)
    for text, (start, end) in zip(texts, answer["spans"], strict=True):
        assert 0 <= start < end <= len(text)


def test_estimates_come_before_the_scores_of_the_same_texts(runner, models):
    texts = ["We choose to go to the moon.", "A", "The cost of living rose again " * 60]
    query = models.wordpieces.tokenise_query(DRAFT["title"], DRAFT["left"])
    tokens = models.wordpieces.tokenise(texts)
    payload = {"query": query, "tokens": join_tokens(tokens)}
    answer = runner.run("estimate", [payload], timeout_s=LONG_S)[0]
    np.testing.assert_allclose(answer["scores"], models.ranker.estimate(query, tokens), atol=1e-4)
    ranked = runner.run("rank", [{**payload, "texts": texts}], timeout_s=LONG_S)[0]
    expected = [each.score for each in models.ranker.rank(query, texts, tokens)]
    np.testing.assert_allclose(ranked["scores"], expected, atol=2e-4)


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
        runner.run(task, [payload], timeout_s=LONG_S)


def test_one_part_that_fails_is_an_error_of_the_whole(runner):
    with pytest.raises(TaskError, match="encode failed: KeyError"):
        runner.run("encode", [{"texts": ["a"]}, {}, {"texts": ["b"]}], timeout_s=LONG_S)


def test_nothing_is_begun_after_the_deadline(runner):
    began = time.monotonic()
    with pytest.raises(TaskError):
        runner.run("encode", [{"texts": ["a" * 100] * 100}] * 2_000, timeout_s=-1)
    assert time.monotonic() - began < 20  # to encode all would take minutes
