"""Readers need the published generation alone, whatever becomes of one that is not complete."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from reranker.fusion import read_weights
from rostrum.core.errors import StoreError, TaskError
from rostrum.core.types import Draft, Filter
from rostrum.service.recommend import Recommender
from rostrum.service.shipped import shipped


class Nobody:
    """A runner without workers."""

    def run(self, task, payloads, *, timeout_s):
        raise TaskError("no worker is there")


def recommended(store):
    """Texts that the first stage recommends for a draft about the moon."""
    weights = read_weights(json.loads(shipped("models/fusion.json").read_text()))
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
