"""Many clients at once: the same request is computed once, and a queue makes answers smaller, not fewer."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from rostrum.api.app import make_app
from rostrum.api.routes.cache import Flights
from rostrum.api.routes.recommend import LEAST_CANDIDATES, reduce_candidates
from rostrum_core.types import Answer

from .conftest import LOOPBACK, MOON


class Computation:
    """Count calls; each waits until `proceed` is set."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers, self.calls, self.proceed = list(answers), 0, threading.Event()

    def __call__(self):
        answer = self.answers[self.calls]
        self.calls += 1
        assert self.proceed.wait(60)
        if isinstance(answer, Exception):
            raise answer
        return answer, None


def ask_twice(computation: Computation, *, wait_s: float = 60.0) -> list[object]:
    """Ask for one tag from two threads at once; return answers or errors, the first asker's first."""
    flights = Flights()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(flights.compute, "tag", computation, wait_s=wait_s)
        while not computation.calls:
            time.sleep(0.001)
        second = pool.submit(flights.compute, "tag", computation, wait_s=wait_s)
        time.sleep(0.05)
        computation.proceed.set()
        return [future.exception() or future.result() for future in (first, second)]


def test_the_same_request_at_the_same_time_is_computed_once():
    whole = Answer((), 3)
    computation = Computation(whole)
    assert ask_twice(computation) == [((whole, None), False), ((whole, None), True)]
    assert computation.calls == 1


def test_a_degraded_answer_is_not_shared():
    late, whole = Answer((), 3, degraded=("rank: late",)), Answer((), 3)
    assert ask_twice(Computation(late, whole)) == [((late, None), False), ((whole, None), False)]


def test_an_error_is_not_shared():
    error, whole = ValueError("bad"), Answer((), 3)
    assert ask_twice(Computation(error, whole)) == [error, ((whole, None), False)]


def test_who_has_no_time_to_wait_computes_alone():
    first, second = Answer((), 1), Answer((), 2)
    assert ask_twice(Computation(first, second), wait_s=0.0) == [
        ((first, None), False),
        ((second, None), False),
    ]


def test_a_later_request_is_computed_again():
    flights, computation = Flights(), Computation(Answer((), 1), Answer((), 2))
    computation.proceed.set()
    answers = [flights.compute("tag", computation, wait_s=60)[0][0].candidates for _ in range(2)]
    assert answers == [1, 2]


@pytest.mark.parametrize("busy", range(3, 64))
def test_a_queue_never_adds_work_and_never_goes_below_the_least(busy):
    reduced = reduce_candidates(50, busy)
    assert LEAST_CANDIDATES <= reduced <= reduce_candidates(50, busy - 1)


@pytest.fixture
def crowded(service):
    """A client of a service that six requests are waiting for."""
    app = make_app(replace_cache(service))
    app.state.assembly.places.ranking._places_by_client["others"] += 6
    with TestClient(app, base_url=LOOPBACK) as client:
        yield client


def replace_cache(service):
    """Return the service without a cache of answers."""
    settings = replace(service.settings, api_cache_bytes=0)
    return type(service)(settings, service.store, service.runner, service.models)


def test_a_crowd_has_fewer_paragraphs_ranked_and_is_told(crowded):
    answer = crowded.post("/v1/recommend", json=MOON).json()
    assert answer["candidates"] == LEAST_CANDIDATES
    assert answer["degraded"] == [
        "queue: 20 instead of 50 paragraphs were ranked, as 7 requests came at once"
    ]
    assert 'rostrum_degraded_total{stage="queue"} 1.0' in crowded.get("/metrics").text


def test_a_number_that_the_client_names_is_kept_in_a_crowd(crowded):
    answer = crowded.post("/v1/recommend", json={**MOON, "candidates": 30}).json()
    assert (answer["candidates"], answer["degraded"]) == (30, [])
