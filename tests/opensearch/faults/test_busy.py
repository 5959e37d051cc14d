"""A cluster that refuses: for a while, for good, or to write."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest

from rostrum_core.errors import StoreError

from .conftest import DOCUMENTS, PATIENT_S, expected, texts

pytestmark = pytest.mark.timeout(600)  # two nodes may start slowly where cores are shared


@contextmanager
def storm(node, lasting_s=None):
    """Has the node's own breaker refuse all requests that have a body with 429; for ever unless told."""

    def limit(limit_bytes):
        body = json.dumps({"transient": {"network.breaker.inflight_requests.limit": limit_bytes}}).encode()
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
    assert 2 < time.monotonic() - began < 2 * PATIENT_S
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
            assert time.monotonic() - began < PATIENT_S / 3
        began = time.monotonic()
        with pytest.raises(StoreError, match="refused, status 429: circuit_breaking_exception: "):
            store.server.write("fault-elsewhere", [("a", {"x": 1})])
        assert time.monotonic() - began < PATIENT_S / 2
    assert sorted(texts(store)) == expected("one")


def test_a_cluster_whose_disk_is_full_keeps_what_is_published(nodes, open_store, run):
    store, patient = open_store(timeout_s=2), open_store()
    run(patient, "one")

    def full(yes):  # what OpenSearch does by itself when 95 % of a disk are taken
        block = {"index.blocks.read_only_allow_delete": yes or None}
        patient.server.call("PUT", "/fault-*/_settings", block, expand_wildcards="all")

    full(True)
    began = time.monotonic()
    with pytest.raises(StoreError, match=r"refused, status 429: cluster_block_exception: .* flood-stage"):
        run(store, "two")
    assert time.monotonic() - began < PATIENT_S
    assert sorted(texts(store)) == expected("one")
    full(False)
    assert run(open_store(), "two").replaced == DOCUMENTS
    assert sorted(texts(store)) == expected("two")
    full(True)
    assert len(open_store().prune(1)) == 1  # which makes room
    assert sorted(texts(store)) == expected("two")
    full(False)
