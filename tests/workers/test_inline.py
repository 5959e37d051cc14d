"""The runner in this process: what it alone does."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reranker.models.loaded import Models
from rostrum_core.errors import ModelError, TaskError
from workers.runner.inline import InlineRunner
from workers.runner.payloads import join_tokens, read_encodings
from workers.runner.turns import Turns


def test_the_deadline_is_looked_at_before_each_part(models):
    runner = InlineRunner(lambda: models)
    runner.run("encode", [{"texts": ["a"]}], timeout_s=60)
    with pytest.raises(TaskError, match=r"[1-9]\d* of 10000 parts done in 0\.2 s"):
        runner.run("encode", [{"texts": ["a"]}] * 10_000, timeout_s=0.2)


def test_models_that_cannot_be_loaded_are_a_model_error(tmp_path):
    with pytest.raises(ModelError):
        InlineRunner(lambda: Models(tmp_path)).run("encode", [{"texts": []}], timeout_s=60)


def test_an_overlong_paragraph_is_scored_by_its_best_window(models):
    runner = InlineRunner(lambda: models)
    moon = "We choose to go to the moon in this decade and do the other things. "
    filler = "The committee adjourned until the following Tuesday without a vote. "
    text = filler * 40 + moon + filler * 40
    draft = {"title": "To the moon", "left": "Kennedy spoke in Houston about the moon and this decade."}
    query = runner.run("draft", [draft], timeout_s=60)[0]["query"]
    scores = {}
    for name, paragraph in {"whole": text, "without": filler * 80}.items():
        encoded = read_encodings(runner.run("encode", [{"texts": [paragraph]}], timeout_s=60)[0])
        payload = {"query": query, "texts": [paragraph], "tokens": join_tokens([encoded[0].tokens])}
        scores[name] = float(runner.run("rank", [payload], timeout_s=60)[0]["scores"][0])
    assert scores["whole"] > scores["without"]


def test_turns_are_taken_one_at_a_time_in_the_order_of_arrival():
    turns, order, inside = Turns(), [], threading.Semaphore(1)

    def act(number: int) -> None:
        with turns.take(60) as is_ours:
            assert is_ours
            assert inside.acquire(blocking=False)  # nobody else is within
            order.append(number)
            inside.release()

    with ThreadPoolExecutor(8) as pool, turns.take(60):
        for number in range(8):
            pool.submit(act, number)
            while turns.waiting <= number:
                time.sleep(0.001)
    assert order == list(range(8))
    assert turns.waiting == 0


def test_caller_that_waits_too_long_leaves_the_queue():
    turns = Turns()
    with turns.take(60), ThreadPoolExecutor(1) as pool:

        def wait_briefly() -> bool:
            with turns.take(0.01) as is_ours:
                return is_ours

        assert pool.submit(wait_briefly).result() is False
        assert turns.waiting == 0
    with turns.take(0) as is_ours:
        assert is_ours


def test_time_that_is_spent_waiting_counts_as_the_calls_own(models):
    runner = InlineRunner(lambda: models)
    runner.run("encode", [{"texts": ["a"]}], timeout_s=60)
    with runner._turns.take(60), pytest.raises(TaskError, match=r"0 of 1 parts done in 0\.1 s"):
        ThreadPoolExecutor(1).submit(runner.run, "encode", [{"texts": ["a"]}], timeout_s=0.1).result()


def test_a_draft_need_not_wait_for_the_end_of_a_long_encoding(models):
    runner = InlineRunner(lambda: models)
    draft = {"title": "Moon", "left": "He spoke in Houston."}
    runner.run("draft", [draft], timeout_s=60)
    with ThreadPoolExecutor(1) as pool:
        encoding = pool.submit(runner.run, "encode", [{"texts": ["A speech. " * 60]}] * 60, timeout_s=250)
        while not runner._turns._queue:  # until it has begun
            time.sleep(0.001)
        runner.run("draft", [draft], timeout_s=250)
        assert not encoding.done()
        assert len(encoding.result()) == 60
