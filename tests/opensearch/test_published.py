"""Readers need the published generation alone, whatever becomes of one that is not complete."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from archive.shipped_files import locate_shipped
from jobs.recommend.job import Recommender
from opensearch.generations import Generations
from opensearch.server import Server
from reranker.fusion import read_weights
from rostrum_core.errors import StoreError, TaskError
from rostrum_core.ports import Query
from rostrum_core.types import Draft, Filter

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


class Nobody:
    """A runner without workers."""

    def run(self, task, payloads, *, timeout_s):
        raise TaskError("no worker is there")


def recommended(store):
    """Texts that the first stage recommends for a draft about the moon."""
    weights = read_weights(json.loads(locate_shipped("models/fusion.json").read_text()))
    hashes = {"encoder": "encoder-1", "tokenizer": "tokenizer-1", "models": {}}
    recommender = Recommender(store, Nobody(), weights, **hashes, batch_tokens=1)
    asked = {"filter": Filter(), "limit": 5, "candidates": 5, "timeout_s": 60}
    found = recommender.recommend(Draft("the moon"), **asked).recommendations
    return [each.paragraph.text for each in found]


@pytest.mark.slow
def test_recommendations_go_on_while_generations_are_published(open_store, entry, publish):
    writer, over = open_store(), Event()
    publish(writer, entry("a", ["the moon"]), entry("b", ["the sun"]))

    def look(store):
        found = []
        while not over.is_set():
            found += recommended(store)
        return found

    with ThreadPoolExecutor(2) as pool:
        looking = [pool.submit(look, open_store()) for _ in range(2)]
        try:
            for _ in range(2):  # what replaces a document is merged, and the indices it was built in removed
                publish(writer, entry("a", ["the moon"]))
        finally:
            over.set()
        for each in looking:
            assert set(each.result()) == {"the moon"}


def test_an_unfinished_generation_that_cannot_be_read_harms_no_reader(open_store, entry, publish, prefix):
    store = open_store()
    name = publish(store, entry("a", ["the moon"]))
    [found] = store.server.call("GET", f"/{prefix}documents-{name}").values()
    facts = found["mappings"]["_meta"] | {"generation": "000009"}
    nowhere = {"index.routing.allocation.require._name": "nobody"}
    red = {"settings": nowhere, "mappings": {"_meta": facts}}
    store.server.call("PUT", f"/{prefix}documents-000009", red, wait_for_active_shards="0")
    with pytest.raises(StoreError, match=r"all shards failed|no_shard_available"):
        store.generations()
    assert store.published().name == name
    assert recommended(store) == ["the moon"]


@pytest.fixture
def repeated(monkeypatch):
    """Has a kind of request sent twice, as where the answer to the first one is lost."""
    sent = []

    def act(store, kind):
        call = Server.call

        def twice(self, method, path, *arguments, **options):
            if self is store.server and kind in path:
                sent.append(path)
                call(self, method, path, *arguments, **options)
            return call(self, method, path, *arguments, **options)

        monkeypatch.setattr(Server, "call", twice)
        return sent

    return act


@pytest.mark.parametrize("kind", ["/_aliases", "/_clone/"])
def test_a_publication_is_done_though_answers_are_lost(open_store, entry, publish, repeated, kind):
    store = open_store()
    publish(store, entry("a", ["spoken one"]), entry("b", ["spoken two"]))
    sent = repeated(store, kind)
    second = publish(store, entry("a", ["spoken three"]))  # a row is deleted: it is cloned and merged
    assert len(sent) >= 1
    assert [each.name for each in open_store().generations() if each.published] == [second]
    assert open_store().count() == (2, 2)


def test_a_publication_that_fails_is_told(open_store, entry, publish, monkeypatch):
    store = open_store()
    first = publish(store, entry("a", ["spoken one"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["spoken two"])])

    def refuse(*_):
        raise StoreError("refused")

    monkeypatch.setattr(Generations, "show", refuse)
    with pytest.raises(StoreError, match="refused"):
        store.publish(name)
    assert [each.name for each in store.generations() if each.published] == [first]


def test_more_candidates_than_opensearch_gives_at_once_are_asked_for_in_vain(open_store, entry, publish):
    store = open_store()
    publish(store, entry("a", ["spoken one"]))
    vector = np.eye(8, dtype=np.float32)[0]
    assert len(store.search(Query("spoken", "", vector, depth=20_000))) == 1


def test_a_word_without_end_is_kept_with_its_speech(open_store, entry, publish):
    store = open_store()
    publish(store, entry("a", ["spoken " + "f" * 40_000]), entry("b", ["spoken"]))
    assert [each.paragraph.document_id for each in store.search(Query("spoken", "", None))] == ["a", "b"]
