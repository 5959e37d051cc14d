"""Faults of a real cluster of two nodes: one is lost in mid-refresh, all are too busy, all are away."""

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from indexer.paragraphs import split
from opensearch import Connection, Layout, OpenSearchStore
from rostrum.core.errors import StoreError
from rostrum.core.ports import Query
from rostrum.core.settings import read_settings
from rostrum.core.types import Document
from rostrum.service import refresh as refreshing
from rostrum.service.assemble import assemble
from rostrum.service.refresh import Hashes, refresh
from tools.jdk import Missing
from tools.opensearch_node import Node, in_memory
from tools.service_process import ServiceProcess

HASHES = Hashes("encoder-1", "tokenizer-1")
DOCUMENTS, PARAGRAPHS, KILLED_AFTER = 16, 3, 6
PATIENT_S = 90.0  # other work shares the cores
EVERYTHING = Query("spoken", "", None, every=True)


@pytest.fixture(scope="module")
def nodes():
    """A node, and another that only keeps data. The first is never killed; what else a test ends stays so."""
    started = []
    try:
        started.append(Node(scratch=in_memory()))
        started.append(Node(scratch=in_memory(), joins=started[0]))
    except Missing as missing:
        for each in started:
            each.stop()
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    yield started
    for each in started:
        each.stop()


@pytest.fixture
def open_store(nodes):
    """Opens stores of one archive, which is removed at the end."""
    stores = []

    def act(kind=OpenSearchStore, timeout_s=PATIENT_S):
        stores.append(kind(Connection(nodes[0].url, prefix="fault-", timeout_s=timeout_s), Layout("exact")))
        return stores[-1]

    yield act
    act().server.call("DELETE", "/fault-*", expand_wildcards="all")
    for each in stores:
        each.close()
        each.server.close()


def speeches(version):
    """Every speech of a version, each with a paragraph that says of which speech and version it is."""
    for number in range(DOCUMENTS):
        said = [f"spoken {number} {n} {version}" for n in range(PARAGRAPHS)]
        yield Document(f"speech {number:02d}", version, "\n\n".join(said))


def texts(store):
    return [each.paragraph.text for each in store.search(EVERYTHING)]


def expected(version):
    return sorted(f"spoken {d} {n} {version}" for d in range(DOCUMENTS) for n in range(PARAGRAPHS))


@pytest.fixture
def run(encoding, monkeypatch):
    """A refresh that writes every document by itself."""
    monkeypatch.setattr(refreshing, "BATCH_CHARACTERS", 1)

    def act(store, version):
        def cut(document):
            return split(document, count_tokens=lambda text: len(text.split()))

        return refresh(speeches(version), store, lambda some: [*map(encoding, some)], cut, hashes=HASHES)

    return act


class Noting(OpenSearchStore):
    """Notes what was acknowledged, and has something done in the midst of it."""

    acknowledged = 0
    meanwhile = staticmethod(lambda: None)

    def add(self, generation, entries):
        if self.acknowledged == KILLED_AFTER:
            threading.Timer(0.005, self.meanwhile).start()
        super().add(generation, entries)
        self.acknowledged += 1


@pytest.fixture
def watch():
    """Reads the archive again and again beside what the test does; what was read, and what went wrong."""
    over = threading.Event()

    def look(store):
        seen, failed = set(), []
        while not over.is_set():
            try:
                seen.add(tuple(sorted(texts(store))))
            except StoreError as error:
                failed.append(str(error))
        return seen, failed

    with ThreadPoolExecutor(1) as pool:

        @contextmanager
        def act(store):
            found = []
            looking = pool.submit(look, store)
            try:
                yield found
            finally:
                over.set()
                found += looking.result()

        yield act


@pytest.mark.slow
def test_a_data_node_killed_during_a_refresh_loses_and_doubles_nothing(nodes, open_store, run, watch):
    run(open_store(), "one")
    reader, writer = open_store(), open_store(Noting)
    health = reader.server.call("GET", "/_cluster/health/fault-*", wait_for_status="green", timeout="60s")
    assert (health["status"], health["number_of_data_nodes"]) == ("green", 2)
    writer.meanwhile = nodes[1].kill
    with watch(reader) as found:
        with suppress(StoreError):  # it may give up, but not forget
            run(writer, "two")
        assert writer.acknowledged >= KILLED_AFTER
        again = run(open_store(), "two")
        assert again.added == 0
        assert again.unchanged >= writer.acknowledged
    seen, failed = found
    assert seen <= {tuple(expected("one")), tuple(expected("two"))}
    assert tuple(expected("one")) in seen
    assert failed == []
    assert sorted(texts(reader)) == expected("two")
    assert reader.count() == (DOCUMENTS, DOCUMENTS * PARAGRAPHS)


@contextmanager
def storm(node, lasting_s=None):
    """Has the node's own breaker refuse all requests that have a body with 429; for ever unless told."""

    def limit(told):
        body = json.dumps({"transient": {"network.breaker.inflight_requests.limit": told}}).encode()
        kind = {"Content-Type": "application/json"}
        urlopen(Request(f"{node.url}/_cluster/settings", body, kind, method="PUT")).close()

    limit("1b")
    ending = threading.Timer(lasting_s or 0, limit, [None])
    if lasting_s:
        ending.start()
    try:
        yield
    finally:
        if lasting_s:
            ending.join()
        limit(None)


@pytest.mark.slow
def test_a_storm_of_429_is_ridden_out_by_readers_and_writers(nodes, open_store, run):
    store = open_store()
    run(store, "one")
    began = time.monotonic()
    with storm(nodes[0], lasting_s=2), ThreadPoolExecutor(8) as pool:
        reading = [pool.submit(texts, store) for _ in range(7)]
        writing = pool.submit(run, open_store(), "two")
        for each in reading:
            assert sorted(each.result()) == expected("one")
        assert writing.result().replaced == DOCUMENTS
    assert 2 < time.monotonic() - began < PATIENT_S
    assert sorted(texts(store)) == expected("two")


def test_a_storm_that_lasts_is_told_within_the_time_and_harms_nothing(nodes, open_store, run, monkeypatch):
    monkeypatch.setattr("opensearch.server.BULK_RETRIES", 1)
    patient, store = open_store(), open_store(timeout_s=2)
    run(patient, "one")
    texts(store)
    with storm(nodes[0]):
        for act in (lambda: texts(store), lambda: run(store, "two")):
            began = time.monotonic()
            with pytest.raises(StoreError, match="refused, status 429: circuit_breaking_exception: "):
                act()
            assert time.monotonic() - began < 5
        began = time.monotonic()
        with pytest.raises(StoreError, match="refused, status 429: circuit_breaking_exception: "):
            store.server.write("fault-elsewhere", [("a", {"x": 1})])
        assert time.monotonic() - began < 20
    assert sorted(texts(store)) == expected("one")


def asked(url):
    """Status and body of an answer."""
    try:
        with urlopen(url, timeout=PATIENT_S) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error) | {"after": error.headers["Retry-After"]}


@pytest.mark.slow
def test_a_service_whose_cluster_goes_and_comes_back_says_so_and_goes_on(nodes, open_store, tmp_path):
    named = {"opensearch_url": nodes[0].url, "opensearch_prefix": "fault-", "opensearch_engine": "exact"}
    assemble(replace(read_settings({}), **named)).refresh(
        [Document("moon", "", "We choose to go to the moon.")]
    )
    service = ServiceProcess(tmp_path / "log", **named, opensearch_timeout_s="3").wait_serving()
    search = f"{service.url}/v1/search?q=the+moon"
    try:
        assert asked(search)[1]["recommendations"][0]["document"]["id"] == "moon"
        nodes[0].end()
        status, body = asked(search)
        assert (status, body["error"]["code"], body["after"]) == (503, "archive_unavailable", "5")
        assert asked(f"{service.url}/ready")[0] == 503
        assert asked(f"{service.url}/health")[0] == 200
        assert f"OpenSearch at {nodes[0].url} cannot be reached" in service.told()
        nodes[0].start()
        assert asked(search)[0] == 200
        assert asked(f"{service.url}/ready")[0] == 200
    finally:
        service.stop()
