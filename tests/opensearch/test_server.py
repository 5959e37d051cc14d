"""What the store says of servers that are away, foreign, old, busy or slow."""

import base64
import socket
import threading
import time

import pytest

from opensearch import Connection, OpenSearchStore
from rostrum_core.errors import BadInput, StoreError

LONG_S = 60.0  # what a default would make a caller wait, or a machine with much other work


def version(number="3.6.0", distribution="opensearch"):
    return {"version": {"number": number, "distribution": distribution}}


def usable(path, plugins=("opensearch-knn",)):
    """What a usable server answers to the first two requests."""
    return version() if path == "/" else [{"component": name} for name in plugins]


def complaint(url, **options):
    with pytest.raises(StoreError) as caught:
        OpenSearchStore(Connection(url, **options)).count()
    return str(caught.value)


def test_a_server_that_is_away_is_named_within_the_time(serve):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        started = time.monotonic()
        assert complaint(url, timeout_s=1).startswith(f"OpenSearch at {url} cannot be reached: ")
        assert time.monotonic() - started < LONG_S / 2


def test_a_server_that_does_not_answer_is_named_within_the_time(serve):
    over = threading.Event()
    url = serve(lambda request: (200, version() if over.wait(LONG_S) else None))
    started = time.monotonic()
    assert complaint(url, timeout_s=0.5) == f"OpenSearch at {url} did not answer in time"
    assert time.monotonic() - started < LONG_S / 2
    over.set()


@pytest.mark.parametrize(
    ("info", "plugins", "said"),
    [
        (version("2.19.1"), ["opensearch-knn"], "OpenSearch 2.19.1 at {url} is older than 3.6"),
        (version("3.5.0"), ["opensearch-knn"], "OpenSearch 3.5.0 at {url} is older than 3.6"),
        (version("3.6.0"), ["opensearch-sql"], "OpenSearch at {url} lacks the plugin opensearch-knn"),
        (version("9.1.0", "default"), [], "the server at {url} is no OpenSearch"),
        ({}, [], "the server at {url} is no OpenSearch"),
        ([], [], "the server at {url} is no OpenSearch"),
        ({"version": "2"}, [], "the server at {url} is no OpenSearch"),
    ],
)
def test_a_server_that_cannot_be_used_is_refused(serve, info, plugins, said):
    url = serve(
        lambda request: (200, info if request.path == "/" else [{"component": name} for name in plugins])
    )
    assert complaint(url) == said.format(url=url)


def test_a_wrong_password_is_told_and_not_shown(serve):
    url = serve(lambda request: (401, {"error": {"type": "security", "reason": "unauthorized"}}))
    said = complaint(url, user="ann", password="open sesame")
    assert said == f"OpenSearch at {url} refuses the user: security: unauthorized"
    assert "sesame" not in repr(Connection(url, user="ann", password="open sesame"))


def test_an_answer_that_is_not_of_opensearch_is_quoted(serve):
    said = complaint(serve(lambda request: (404, "<h1>No such\n page</h1>")))
    assert said.endswith(" has not found: <h1>No such page</h1>")


def test_user_and_password_are_sent(serve):
    seen = []
    url = serve(lambda request: (seen.append(request.headers["Authorization"]), (401, {}))[1])
    complaint(url, user="Aladdin", password="open sesame")
    assert seen == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]  # the example of RFC 7617


def test_a_password_is_sent_in_utf_8(serve):
    seen = []
    url = serve(lambda request: (seen.append(request.headers["Authorization"]), (401, {}))[1])
    complaint(url, user="test", password="123£€")
    assert base64.b64decode(seen[0].removeprefix("Basic ")).decode() == "test:123£€"  # RFC 7617, 2.1


def test_a_busy_server_is_asked_again(serve):
    statuses = [429, 503, 200]

    def answer(request):
        if request.path == "/" and (status := statuses.pop(0)) != 200:
            return status, {"error": "busy"}
        return 200, {} if "documents" in request.path else usable(request.path)

    assert complaint(serve(answer)).startswith("nothing is published at ")
    assert statuses == []


def test_a_request_whose_node_left_in_the_midst_of_it_is_sent_again(serve):
    lost = {"type": "node_disconnected_exception", "reason": "[vm][127.0.0.1:9301] disconnected"}
    answers = [(500, {"error": {"type": "search_phase_execution_exception", "root_cause": [lost]}})]

    def answer(request):
        if request.path == "/" and answers:
            return answers.pop()
        return 200, {} if "documents" in request.path else usable(request.path)

    assert complaint(serve(answer)).startswith("nothing is published at ")
    assert answers == []


def test_a_failure_of_the_server_itself_is_told_at_once(serve):
    asked = []
    url = serve(
        lambda request: (asked.append(request.path), (500, {"error": {"type": "a", "reason": "b"}}))[1]
    )
    assert complaint(url).endswith("status 500: a: b")
    assert len(asked) == 1


def test_a_server_that_stays_busy_is_told(serve):
    url = serve(lambda request: (429, {"error": {"type": "rejected", "reason": "queue is full"}}))
    assert complaint(url, timeout_s=1).endswith("status 429: rejected: queue is full")


def test_rows_that_a_full_queue_rejects_are_sent_again(serve):
    sent = []

    def answer(request):
        if not request.path.startswith("/_bulk"):
            return 200, usable(request.path)
        sent.append(request.path)
        status = 429 if len(sent) == 1 else 201
        items = [{"index": {"status": 201}}, {"index": {"status": status, "error": {"type": "rejected"}}}]
        return 200, {"errors": status == 429, "items": items if len(sent) == 1 else items[1:]}

    server = OpenSearchStore(Connection(serve(answer))).server
    server.write("index", [("a", {"x": 1}), ("b", {"x": 2})])
    assert len(sent) == 2


HITS = {"hits": [], "total": {"value": 7}}


def searched(status="whole"):
    """What a search of several is answered: whole, refused, or by one of two shards only."""
    busy = {"type": "rejected_execution_exception", "reason": "queue is full"}
    if status == "refused":
        return {"status": 429, "error": {"type": "search_phase_execution_exception", "root_cause": [busy]}}
    failures = [{"shard": 1, "reason": busy}] if status == "partly" else []
    shards = {"total": 2, "failed": len(failures), "failures": failures}
    return {"status": 200, "timed_out": False, "_shards": shards, "hits": HITS}


@pytest.mark.parametrize("status", ["refused", "partly"])
def test_searches_of_which_a_full_queue_rejects_one_are_sent_again(serve, status):
    answers = [[searched(), searched(status)], [searched(), searched()]]

    def answer(request):
        return 200, {"responses": answers.pop(0)} if "_msearch" in request.path else usable(request.path)

    server = OpenSearchStore(Connection(serve(answer))).server
    assert server.search_many([("a", {}), ("b", {})]) == [HITS, HITS]
    assert answers == []


def test_searches_that_stay_rejected_are_told_within_the_time(serve):
    def answer(request):
        if "_msearch" in request.path:
            return 200, {"responses": [searched("refused")]}
        return 200, usable(request.path)

    began = time.monotonic()
    with pytest.raises(StoreError, match="could not search: rejected_execution_exception: queue is full"):
        OpenSearchStore(Connection(serve(answer), timeout_s=1)).server.search_many([("a", {})])
    assert 0.2 < time.monotonic() - began < LONG_S / 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "localhost:9200"},
        {"url": "http://ann:secret@localhost:9200"},
        {"url": "http://:secret@localhost:9200"},
        {"url": "http://localhost:9200", "user": "ann"},
        {"url": "http://localhost:9200", "prefix": "Speeches"},
    ],
)
def test_an_impossible_connection_is_refused(wrong):
    with pytest.raises(BadInput) as caught:
        Connection(**wrong)
    assert "secret" not in str(caught.value)
