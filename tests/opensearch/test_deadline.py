"""A cluster is asked no longer than whoever waits for the answer."""

import time

import pytest

from jobs.recommend.job import Recommender
from opensearch import Connection, OpenSearchStore
from opensearch.facts import FORMAT
from reranker.fusion import FusionWeights
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.time_limits import limit_request_time
from rostrum_core.deadline import limit_time
from rostrum_core.errors import StoreError, TaskError
from rostrum_core.types import Draft, Filter

PAUSE_S = 0.3
NOTHING = {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": [], "total": {"value": 1}}}
FACTS = {"generation": "000001", "encoder": "e", "tokenizer": "t", "base": None, "created_at": "", "width": 8}
PUBLISHED = {
    "rostrum-documents-000001": {
        "mappings": {"_meta": FACTS | {"documents": 1, "paragraphs": 1, "format": FORMAT}},
        "aliases": {"rostrum-complete": {}, "rostrum-documents": {}},
    },
    "rostrum-paragraphs-000001": {"aliases": {"rostrum-complete": {}, "rostrum-paragraphs": {}}},
}


class Nobody:
    """A runner without workers."""

    def run(self, task, payloads, *, timeout_s):
        raise TaskError("no worker is there")


@pytest.fixture
def slow(serve):
    """Address of a cluster that answers everything, each after `PAUSE_S`; and the paths it was asked."""
    asked = []

    def answer(request):
        time.sleep(PAUSE_S)
        asked.append(path := request.path.partition("?")[0])
        if path == "/":
            return 200, {"version": {"number": "3.6.0", "distribution": "opensearch"}}
        if path == "/_cat/plugins":
            return 200, [{"component": "opensearch-knn"}]
        if path == "/_msearch":
            return 200, {"responses": [NOTHING] * (request.body.count(b"\n") // 2)}
        return 200, PUBLISHED

    return serve(answer), asked


def recommended(url, timeout_s):
    weights = FusionWeights({}, {}, {}, 1.0, 1.0, 1.0)
    hashes = {"encoder": "e", "tokenizer": "t", "models": {}}
    recommender = Recommender(OpenSearchStore(Connection(url)), Nobody(), weights, **hashes, batch_tokens=1)
    return recommender.recommend(Draft("moon"), filter=Filter(), limit=1, candidates=1, timeout_s=timeout_s)


def test_a_recommendation_asks_a_slow_cluster_no_longer_than_its_caller_waits(slow):
    url, asked = slow
    assert recommended(url, timeout_s=60).recommendations == ()
    needed = len(asked)
    asked.clear()
    with pytest.raises(StoreError, match=f"OpenSearch at {url} did not answer"):
        recommended(url, timeout_s=4.5 * PAUSE_S)
    assert len(asked) < 6 < needed  # requests are counted: a busy machine adds seconds, not requests


def test_a_cluster_is_not_asked_once_the_time_of_the_request_is_over(slow):
    url, asked = slow
    with limit_time(0), pytest.raises(StoreError, match="did not answer within the time of the request"):
        OpenSearchStore(Connection(url)).count()
    assert asked == []


def test_a_client_that_allows_too_little_time_is_told_so_and_not_that_the_archive_fails(slow):
    url, _ = slow
    with pytest.raises(Refused) as refused, limit_request_time(int(1_000 * PAUSE_S * 1.5), 60.0):
        OpenSearchStore(Connection(url)).count()
    assert (refused.value.status_code, refused.value.code) == (504, "deadline_exceeded")
    assert refused.value.field == "timeout_ms"
    with pytest.raises(StoreError), limit_request_time(None, PAUSE_S * 1.5):
        OpenSearchStore(Connection(url)).count()
    with pytest.raises(StoreError, match="cannot be reached"), limit_request_time(20_000, 60.0):
        OpenSearchStore(Connection("http://127.0.0.1:9", timeout_s=0.5)).count()
