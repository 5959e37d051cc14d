"""What OpenSearch makes its own: layouts, long texts, many rows, and statistics over shards."""

import dataclasses

import pytest

from opensearch import Connection, Layout, OpenSearchStore
from opensearch.facts import FORMAT
from opensearch.mappings import load_mapping
from opensearch.paging import PAGE
from rostrum_core.errors import BadInput, StoreError
from rostrum_core.ports import Entry, Query
from rostrum_core.types import Document, Filter

FILES = {
    "_component_template/rostrum-analysis": "analysis",
    "_index_template/rostrum-paragraphs": "paragraphs",
    "_index_template/rostrum-documents": "documents",
}


def found(store, query):
    return {each.paragraph.text: each.scores for each in store.search(query)}


@pytest.mark.parametrize("engine", ["lucene", "exact"])
def test_engines_find_the_same_nearest_paragraphs(open_store, entry, encoding, publish, engine):
    store = open_store(Layout(engine))
    said = [f"paragraph {number}" for number in range(50)]
    publish(store, entry("a", said[:25], language="en"), entry("b", said[25:], language="de"))
    vector = encoding("the query").vector
    nearest = sorted(said[:25], key=lambda text: -float(encoding(text).vector @ vector))[:5]
    scores = found(store, Query("", "", vector, Filter(languages=("en",)), depth=5))
    assert sorted(scores) == sorted(nearest)
    for text in nearest:
        assert scores[text]["dense"] == pytest.approx(float(encoding(text).vector @ vector), abs=1e-6)


def test_scores_do_not_depend_on_the_number_of_shards(open_store, entry, encoding, publish):
    entries = [entry(f"speech {n}", [f"seven years {n}", "nation " * n]) for n in range(1, 30)]
    query = Query("seven nation", "speech 7 nation", encoding("the query").vector, every=True)
    answers = []
    for shards in (1, 3):
        store = open_store(Layout("exact", shards))
        publish(store, *entries, fresh=True)
        answers.append(
            {
                (each.paragraph.document_id, each.paragraph.ordinal): each.scores
                for each in store.search(query)
            }
        )
    assert len(answers[0]) == 58
    assert answers[0] == answers[1]


def test_an_unknown_engine_and_no_shards_are_refused():
    for wrong in ({"engine": "nmslib"}, {"shards": 0}):
        with pytest.raises(BadInput):
            Layout(**wrong)


@pytest.mark.parametrize("names", [("", "documents-", "paragraphs-"), ("press-documents-", "press-", "")])
def test_archives_whose_names_look_like_indices_do_not_get_in_each_others_way(
    opensearch_url, opensearch_prefix, entry, publish, names
):
    family = f"{opensearch_prefix}family{len(names[0])}-"
    connections = [Connection(opensearch_url, prefix=family + name, timeout_s=60) for name in names]
    stores = [OpenSearchStore(connection, Layout("exact")) for connection in connections]
    for number, store in enumerate(stores):
        publish(store, entry(f"a{number}", ["seven years"]))
    for number, store in enumerate(stores):
        publish(store, entry(f"b{number}", ["seven years"]))
        assert [info.id for info in store.documents()] == [f"a{number}", f"b{number}"]
        assert len(store.generations()) == 2
        store.rollback()
    for number, store in enumerate(stores):
        assert [info.id for info in store.documents()] == [f"a{number}"]
        assert len(store.prune(0)) == 1
        store.check_generations()
        store.server.close()


def test_files_can_be_sent_as_they_are(open_store):
    server = open_store().server
    for path, name in FILES.items():
        server.call("PUT", f"/{path}", load_mapping(name))
    for engine in ("faiss", "lucene"):
        server.call("PUT", "/rostrum-paragraphs-000001")
        server.call("PUT", "/rostrum-paragraphs-000001/_mapping", load_mapping(f"vectors-{engine}"))
        server.call("DELETE", "/rostrum-paragraphs-000001")
    for path in reversed(FILES):
        server.call("DELETE", f"/{path}")


def test_a_text_may_ask_for_more_words_than_a_query_may_have_clauses(open_store, entry, publish):
    store = open_store()
    words = [f"word{number}" for number in range(3000)]
    publish(store, entry("a", ["seven years", "hope"]), entry("b", [" ".join(words)]))
    asked = " ".join(["seven", "seven", *words])
    scores = found(store, Query(asked, asked, None))
    assert sorted(scores) == ["seven years", " ".join(words)]
    once = found(store, Query("seven", "", None))["seven years"]["lexical"]
    assert scores["seven years"]["lexical"] == pytest.approx(2 * once, rel=1e-6)


def test_there_may_be_more_documents_than_fit_on_a_page(open_store, publish):
    names = [f"speech {number:05d}" for number in range(2 * PAGE + 1)]
    store = open_store()
    publish(store, *[Entry(Document(name, "", ""), "hash", (), ()) for name in names])
    assert [info.id for info in store.documents()] == names
    assert store.count() == (2 * PAGE + 1, 0)


def test_there_may_be_more_candidates_than_are_scored_at_once(open_store, entry, publish, monkeypatch):
    monkeypatch.setattr("opensearch.candidates.TOGETHER", 7)
    store = open_store()
    publish(store, *[entry(name, [f"seven {name} {n}" for n in range(10)], title=name) for name in "xyz"])
    query = Query("seven", "x y", None, every=True)
    candidates = list(store.search(query))
    assert [(c.paragraph.document_id, c.paragraph.ordinal) for c in candidates] == [
        (name, n) for name in "xyz" for n in range(10)
    ]
    assert {c.scores["document"] is None for c in candidates[:20]} == {False}
    assert {c.scores["document"] for c in candidates[20:]} == {None}


def test_text_that_is_no_unicode_is_refused_and_none_of_its_batch_kept(open_store, entry):
    store = open_store()
    name = store.begin(encoder="e", tokenizer="t").name
    good = entry("a", ["seven"])
    odd = entry("b", ["spoken"], title="\ud800")
    with pytest.raises(StoreError, match="'b': a lone surrogate, which OpenSearch cannot keep"):
        store.add(name, [good, odd])
    assert store.content_hashes(name) == {}


def test_queries_of_no_unicode_are_free_text_too(open_store, entry, publish):
    store = open_store()
    publish(store, entry("a", ["seven years"], speaker="Ann"))
    assert list(found(store, Query("seven \ud800", "\udfff", None))) == ["seven years"]
    assert found(store, Query("seven", "", None, Filter(speakers=("\ud800",)))) == {}
    assert store.document_frequency(["\ud800", "seven"]) == [0, 1]
    assert store.get("\ud800") is None


def test_the_generation_of_another_version_is_refused(open_store, entry, publish):
    store = open_store()
    name = publish(store, entry("a", ["seven"]))
    [found] = store._generations.list_all()
    store._generations.note(dataclasses.replace(found, facts=dataclasses.replace(found.facts, format=0)))
    with pytest.raises(StoreError, match=f"generation {name} has format 0, this is for {FORMAT}"):
        store.count()


def test_a_generation_is_begun_though_each_request_arrives_twice(open_store, entry, publish, monkeypatch):
    """As after an answer that was lost: the transport sends the request again."""
    store = open_store()
    call = store.server.call

    def twice(method, path, *rest, **options):
        if method == "PUT" and path.count("/") == 1:  # makes an index
            call(method, path, *rest, **options)
        return call(method, path, *rest, **options)

    monkeypatch.setattr(store.server, "call", twice)
    publish(store, entry("a", ["spoken"]), fresh=True)
    assert store.count() == (1, 1)
