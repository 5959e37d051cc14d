"""Documents that OpenSearch does not keep, and generations that lost something before they were shown."""

import pytest

from opensearch import reading, writing
from opensearch.failures import NotFound
from opensearch.generations import Generations
from opensearch.infos import Infos
from rostrum_core.errors import DocumentRefused, StoreError
from rostrum_core.ports import Query

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
LONGEST_TERM_BYTES = 32_766  # of Lucene


@pytest.mark.parametrize("known", [{"collection": "x" * (LONGEST_TERM_BYTES + 1)}, {"speaker": "\ud800"}])
def test_a_document_that_cannot_be_kept_is_named_and_the_others_can_be_added(open_store, entry, known):
    store = open_store()
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["spoken before"])])
    good, bad = entry("a", ["spoken one", "spoken two"]), entry("b", ["spoken three"], **known)
    with pytest.raises(DocumentRefused) as caught:
        store.add(name, [good, bad])
    assert caught.value.document_id == "b"
    assert any(why in caught.value.reason for why in ("at most 32766 in length", "a lone surrogate"))
    store.add(name, [good])
    store.publish(name)
    found = store.search(Query("spoken", "", None, every=True))
    assert sorted(each.paragraph.text for each in found) == ["spoken before", "spoken one", "spoken two"]
    assert store.count() == (2, 3)


def test_what_was_lost_on_the_way_is_not_shown(open_store, entry, publish, monkeypatch):
    store = open_store()
    publish(store, entry("a", ["spoken one", "spoken two"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["spoken three"])])
    swept = writing.sweep

    def one_too_many(server, found, confirm):
        documents, paragraphs = swept(server, found, confirm)
        return documents, paragraphs + 1

    monkeypatch.setattr(writing, "sweep", one_too_many)
    with pytest.raises(StoreError, match="2 documents with 3 paragraphs, of which 3 are there: 2 and 4 were"):
        store.publish(name)
    assert store.count() == (1, 2)


def test_rows_of_an_index_that_is_gone_are_not_found(open_store, entry, publish, prefix):
    store = open_store()
    name = publish(store, entry("a", ["spoken one"]))
    found = Generations(store.server).find_published()
    store.server.call("DELETE", f"/{prefix}documents-{name}")
    with pytest.raises(NotFound, match="could not search: index_not_found_exception"):
        reading.get(store.server, found, "a")
    with pytest.raises(NotFound, match=r"could not read a row of .*index_not_found_exception"):
        reading.read_named_infos(store.server, found, ["a"], Infos())


def test_a_document_that_cannot_be_read_back_is_not_shown(open_store, entry, publish, prefix):
    store = open_store()
    publish(store, entry("a", ["spoken one"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["spoken two", "spoken three"])])
    row = {
        "script": {"source": "ctx._source.text = 'something else'"},
        "query": {"term": {"document_id": "b"}},
    }
    store.server.call("POST", f"/{prefix}documents-{name}/_update_by_query", row, refresh="true")
    with pytest.raises(StoreError, match="does not give back the document 'b' as it was written"):
        store.publish(name)
    assert store.count() == (1, 1)
