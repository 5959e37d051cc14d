"""How often a request asks the cluster, and that one analysis of several texts is that of each."""

import pytest

from opensearch import Connection, OpenSearchStore
from opensearch.queries import DOCUMENT_TEXT, PARAGRAPH_TEXT, analyse
from opensearch.transport import PatientTransport

from .conftest import EXACT
from .test_published import recommended


@pytest.fixture
def requests(monkeypatch):
    """Every request to a cluster, as method and path."""
    sent = []
    perform = PatientTransport.perform_request

    def note(self, method, url, *arguments, **options):
        sent.append(f"{method} {url}")
        return perform(self, method, url, *arguments, **options)

    monkeypatch.setattr(PatientTransport, "perform_request", note)
    return sent


@pytest.fixture
def open_reader(opensearch_url, prefix):
    """Open the archive of `open_store` as a service does."""
    stores = []

    def act(age_s=60.0):
        connection = Connection(opensearch_url, prefix=prefix, timeout_s=60)
        stores.append(OpenSearchStore(connection, EXACT, age_s=age_s))
        return stores[-1]

    yield act
    for store in stores:
        store.server.close()


def test_a_recommendation_asks_the_cluster_six_times(open_store, open_reader, entry, publish, requests):
    publish(open_store(), entry("a", ["the moon"]), entry("b", ["the sun and the moon"]))
    reader = open_reader()
    recommended(reader)  # asks what is published, and which version the cluster has
    requests.clear()
    assert len(recommended(reader)) == 2
    kinds = [request.rpartition("/")[2] for request in requests]
    assert sorted(kinds) == ["_analyze", "_mget", "_msearch", "_msearch", "_msearch", "_msearch"]


def test_what_a_store_publishes_itself_is_seen_at_once(open_store, open_reader, entry, publish):
    store = open_reader()
    publish(store, entry("a", ["spoken one"]))
    assert store.count() == (1, 1)
    publish(store.writer(), entry("b", ["spoken two"]))
    assert store.count() == (2, 2)
    store.rollback()
    assert store.count() == (1, 1)
    store.close()


def test_what_another_publishes_is_seen_after_a_while_and_at_once_if_the_old_is_gone(
    open_store, open_reader, entry, publish
):
    writer, late, soon = open_store(), open_reader(), open_reader(age_s=0.0)
    publish(writer, entry("a", ["spoken one"]))
    assert late.count() == soon.count() == (1, 1)
    publish(writer, entry("b", ["spoken two"]))
    assert (late.count(), soon.count()) == ((1, 1), (2, 2))
    writer.prune(1)
    assert late.get("b") is not None
    assert late.count() == (2, 2)


@pytest.mark.parametrize(
    "texts",
    [
        ("the moon and the stars", "a long road, a long road"),
        ("", "the moon"),
        ("the moon", " "),
        ("\U0001f600 moons \U0001f600", "\U0001f600\U0001f600 stars", "caf\u00e9 houses"),
        ("\ud800 moon", "stars"),
        ("x" * 300, "moon\n\n\nstars", "moon"),
        ("", ""),
    ],
)
def test_texts_that_are_analysed_together_have_the_terms_of_each_alone(
    open_store, entry, publish, prefix, texts
):
    store = open_store()
    name = publish(store, entry("a", ["the moon"]))
    for kind, field in (("paragraphs", PARAGRAPH_TEXT), ("documents", DOCUMENT_TEXT)):
        index = f"{prefix}{kind}-{name}"
        apart = [analyse(store.server, index, field, [text])[0] for text in texts]
        assert analyse(store.server, f"{prefix}paragraphs-{name}", PARAGRAPH_TEXT, texts) == apart
