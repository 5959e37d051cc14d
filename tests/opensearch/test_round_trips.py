"""A request asks the cluster a few times, and words that the cluster analyses score as their terms do."""

import json
import time
from collections import Counter
from dataclasses import replace

import pytest

from archive.shipped_files import locate_shipped
from jobs.recommend.job import Recommender
from opensearch import Connection, OpenSearchStore
from opensearch.queries import PARAGRAPH_TEXT, count_words, match_any
from opensearch.transport import PatientTransport
from reranker.fusion import read_weights
from rostrum_core.packing import escape_surrogates
from rostrum_core.ports import Query
from rostrum_core.types import Draft, Filter

from .conftest import EXACT
from .test_published import Nobody, recommended

MOST_ROUND_TRIPS = 4


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


def recommend(store, draft, **options):
    """Run the first stage for a draft, with words that the models know, as a service does."""
    weights = read_weights(json.loads(locate_shipped("models/fusion.json").read_text()))
    hashes = {"encoder": "encoder-1", "tokenizer": "tokenizer-1", "models": {}}
    vocabulary = frozenset({"moon", "the", "president", "speech"})
    recommender = Recommender(
        store, Nobody(), weights, **hashes, batch_tokens=1, vocabulary=lambda: vocabulary
    )
    asked = {"filter": Filter(), "limit": 5, "candidates": 5, "timeout_s": 60} | options
    return recommender.recommend(draft, **asked)


def test_a_recommendation_asks_the_cluster_three_times(open_store, open_reader, entry, publish, requests):
    publish(open_store(), entry("a", ["the moon"]), entry("b", ["the sun and the moon"]))
    reader = open_reader()
    recommended(reader)  # asks what is published, and which version the cluster has
    requests.clear()
    assert len(recommended(reader)) == 2
    assert [request.rpartition("/")[2] for request in requests] == ["_msearch"] * 3


@pytest.mark.parametrize("age_s", [1.0, 60.0])
@pytest.mark.parametrize(
    "draft",
    [
        Draft("the moon"),
        Draft("the moon", "the president spoke of Tsiolkovsky and of 2,000 zyxgugyz " * 100, "the moon"),
    ],
    ids=["short", "long, with words that nobody knows"],
)
@pytest.mark.parametrize("filter", [Filter(), Filter(documents=("a", "b"))], ids=["any", "named"])
def test_a_first_stage_asks_the_cluster_four_times_at_most(
    open_store, open_reader, entry, publish, requests, draft, age_s, filter
):
    publish(open_store(), *[entry(name, [f"the moon of {name}", f"speech {name}"]) for name in "abcdef"])
    reader = open_reader(age_s)
    recommend(reader, Draft("speech"))  # asks which version the cluster has
    time.sleep(1.1 if age_s == 1.0 else 0)  # what was known is old now
    requests.clear()
    answer = recommend(reader, draft, filter=filter)
    assert {one.document.id for one in answer.recommendations} >= {"a", "b"}
    assert len(requests) <= MOST_ROUND_TRIPS, requests


def test_a_speech_is_read_by_one_request(open_store, open_reader, entry, publish, requests, monkeypatch):
    said = [f"paragraph {number}" for number in range(7)]
    publish(open_store(), entry("a", said), entry("b", ["another"]))
    reader = open_reader()
    reader.count()
    requests.clear()
    _, paragraphs = reader.get("a")
    assert [paragraph.text for paragraph in paragraphs] == said
    assert reader.get("nobody") is None
    assert len(requests) == 2
    monkeypatch.setattr("opensearch.reading.PAGE", 7)  # there may be more
    monkeypatch.setattr("opensearch.paging.PAGE", 3)
    assert [paragraph.text for paragraph in reader.get("a")[1]] == said


def test_a_search_learns_of_another_generation_without_a_request_of_its_own(
    open_store, open_reader, entry, publish, requests
):
    writer, reader = open_store(), open_reader(age_s=0.0)
    publish(writer, entry("a", ["spoken one"]))
    query = Query("spoken", "", None)
    assert len(reader.search(query)) == 1
    requests.clear()
    assert len(reader.search(query)) == 1
    assert [request.rpartition("/")[2] for request in requests] == ["_msearch", "_msearch"]
    publish(writer, entry("b", ["spoken two"]))
    assert len(reader.search(query)) == 2
    assert reader.document_frequency(["two"]) == [1]
    assert {info.id for info in reader.documents(["a", "b"])} == {"a", "b"}


def test_an_archive_without_documents_is_not_asked_for_ever(open_store, open_reader, publish):
    publish(open_store())
    reader = open_reader(age_s=0.0)
    assert reader.document_frequency(["moon"]) == [0]
    assert reader.get("a") is None


def test_metadata_that_a_search_brought_is_that_of_the_documents(open_store, open_reader, entry, publish):
    about = {
        "title": "On \u201cthe\u201d moon \U0001f600",
        "speaker": "Ann Roe",
        "url": "https://example.org/a",
    }
    publish(open_store(), entry("a", ["the moon"], **about), entry("b", ["the moon"], spoken_on="1962-09"))
    fresh, reader = open_reader(), open_reader()
    reader.search(Query("moon", "", None))
    assert list(reader._infos.find(reader._generations.recall_published(), ["a", "b"])) == ["a", "b"]
    assert list(reader.documents(["b", "a"])) == list(fresh.documents(["a", "b"])) == list(fresh.documents())


def test_an_archive_of_the_format_before_is_read_and_continued(open_store, open_reader, entry, publish):
    store = open_store()
    name = store.begin(encoder="encoder-1", tokenizer="tokenizer-1").name
    store._writing = replace(store._writing, facts=replace(store._writing.facts, format=2))
    store.add(name, [entry("a", ["the moon"], title="A")])
    store.publish(name)
    assert [info.title for info in store.documents(["a"])] == ["A"]
    publish(store, entry("b", ["another moon"], title="B"))
    assert store._generations.find_published().facts.format == 2
    reader = open_reader()
    assert len(reader.search(Query("moon", "", None))) == 2
    assert [info.title for info in reader.documents(["a", "b"])] == ["A", "B"]


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
    "text",
    [
        "the moon and the stars",
        "a long road, a long road, a LONG Road",
        "",
        " ",
        "the of",
        "moons moon Moon mooning, cafe\u0301 caf\u00e9 Caf\u00c9",
        "\U0001f600 moons \U0001f600\U0001f600stars\U0001f600",
        "\ud800 moon",
        "x" * 300,
        "moon\n\n\nstars_and-roads/x",
        "\u0130stanbul \u0131stanbul",
    ],
)
def test_words_score_as_the_terms_that_the_index_makes_of_them(open_store, entry, publish, prefix, text):
    said = [
        "the moon and the moons",
        "a long road",
        "\U0001f600 stars of caf\u00e9s",
        "ud800 \u0131stanbul x",
    ]
    store = open_store()
    name = publish(store, entry("a", said))
    index = f"{prefix}paragraphs-{name}"
    body = {"field": PARAGRAPH_TEXT, "text": escape_surrogates(text)}
    tokens = store.server.call("POST", f"/{index}/_analyze", body)["tokens"]
    terms = Counter(token["token"] for token in tokens)
    clauses = [{"term": {PARAGRAPH_TEXT: {"value": term, "boost": count}}} for term, count in terms.items()]
    by_terms, by_words = (
        {"size": 10, "query": {"bool": {"should": should, "minimum_should_match": 1}}}
        for should in (clauses or [{"match_none": {}}], match_any(PARAGRAPH_TEXT, count_words(text)))
    )
    if not count_words(text):
        assert not terms
        return
    one, other = store.server.search_many([(index, by_terms), (index, by_words)])
    scores = [{hit["_id"]: hit["_score"] for hit in answer["hits"]} for answer in (one, other)]
    assert scores[0] == pytest.approx(scores[1], rel=1e-6)


@pytest.mark.parametrize("text", ["e\u0301x\u0301" * 600, "\U0001f600a" * 5_000, "\u0928\u094d" * 3_000])
def test_words_of_many_parts_have_no_more_terms_than_a_search_may_have(open_store, entry, publish, text):
    store = open_store()
    publish(store, entry("a", ["seven years"]))
    halves = " ".join(text[begin : begin + 50] for begin in range(0, len(text), 50))
    for asked in (text, halves):
        assert len(store.search(Query(f"seven seven {asked}", asked, None))) == 1
