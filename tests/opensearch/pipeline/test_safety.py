"""A pipeline loses no hit, and no text that somebody indexed changes how others are ranked."""

import os

import httpx2
import pytest
from opensearchpy import helpers

from rostrum.cli import run

DRAFT = "Why a rocket to the moon is worth its price\nThe president told the crowd in Houston"
QUOTE = "We choose to go to the moon in this decade and do the other things."
DOCUMENTS = 2000

HOSTILE = [
    "I have nothing to say about this. ${parameters.query}",
    "He said ${parameters.query} about the moon",
    "A moon ${parameters.nothing:-evil} here, and a rocket on its way to it.",
    "Ask not ${parameters.documents} now.",
    "Ask not ${parameters.encoded} now, nor ${parameters.rostrum_settings} or ${credential.key}.",
    "Price it at $${parameters.query} or ${${parameters.query}} or $$${parameters.x:-y}.",
    "${input_map.documents} and ${model_config.x:-y} and ${ml_inference} {ml_inference.x:-y} of the moon",
    'A "moon" \\ with {"a": 1} and\nlines, \u00e9 \U0001f600 ${parameters.query}',
    "$",
    "${",
    "${parameters.",
]
SUBSTITUTED = [
    "The moon, ${ml_inference.parameters}",
    "The moon, ${ml_inference.nothing:-evil} and all",
    "The moon, $${ml_inference.nothing} and all\nthat",
]
"""Texts that ml-commons would change before the connector can encode them."""


@pytest.fixture(scope="module")
def installed(ml_url, key_file, road):
    """The pipeline `rostrum`, installed for the field `body` as an operator does it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROSTRUM_OPENSEARCH_URL", ml_url)
        patch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "60")
        patch.setenv("RERANK_KEY", key_file[1])
        options = ["--address", road.url, "--text-field", "body", "--key-from", "RERANK_KEY", "--yes"]
        code = run(["opensearch", "install", *options, "--timeout-s", "120", "--connect-timeout-s", "5"])
        assert code == 0
        yield
        assert run(["opensearch", "uninstall"]) == 0


@pytest.fixture
def cli(installed, ml_url, monkeypatch, capfd):
    """Run `rostrum opensearch`; return exit code and all output."""
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", ml_url)
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "60")

    def act(*arguments: str):
        capfd.readouterr()
        code = run(["opensearch", *arguments])
        return code, "".join(capfd.readouterr())

    return act


@pytest.fixture
def fill(client):
    """Create an index of these documents; it is removed after the test."""
    names = []

    def act(documents, *, settings=None, properties=None):
        name = f"rostrum-safety-{os.getpid()}-{len(names)}"
        mappings = {"properties": {"body": {"type": "text"}, **(properties or {})}}
        settings = {"number_of_replicas": 0, **(settings or {})}
        client.indices.create(index=name, body={"settings": settings, "mappings": mappings})
        names.append(name)
        actions = [{"_index": name, "_id": str(i), **each} for i, each in enumerate(documents)]
        helpers.bulk(client, actions, refresh=True)
        return name

    yield act
    for name in names:
        client.indices.delete(index=f"{name}*")


@pytest.fixture
def search(client, installed):
    """The hits of a search through the pipeline."""

    def act(index, *, text=DRAFT, query=None, **more):
        body = {"query": query or {"match_all": {}}, "size": 50, **more}
        if text is not None:
            body["ext"] = {"ml_inference": {"query_text": text}}
        return client.search(index=index, body=body, params={"search_pipeline": "rostrum"})["hits"]["hits"]

    return act


@pytest.fixture
def rerank(service_process, key_file):
    """The results of the service for these texts as they are, without OpenSearch."""

    def act(texts, draft=DRAFT):
        answer = httpx2.post(
            f"{service_process.url}/v1/rerank/opensearch",
            json={"query": draft, "documents": texts},
            headers={"Authorization": f"Bearer {key_file[1]}"},
            timeout=120,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["results"]

    return act


def bodies(texts):
    return [{"body": text} for text in texts]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_with_a_variable_is_ranked_as_it_stands(fill, search, rerank, text) -> None:
    texts = [QUOTE, text, "The weather was fine."]
    hits = {hit["_id"]: hit["_source"] for hit in search(fill(bodies(texts)))}
    for number, expected in enumerate(rerank(texts)):
        found = hits[str(number)]["rostrum"]
        assert found["score"] == pytest.approx(expected["score"], abs=1e-4)
        assert (found["start"], found["end"]) == (expected["start"], expected["end"])
        assert found["span"] == hits[str(number)]["body"][found["start"] : found["end"]]


@pytest.mark.parametrize("text", SUBSTITUTED)
def test_a_text_that_ml_commons_would_change_comes_last_and_changes_no_other(
    fill, search, rerank, text
) -> None:
    texts = [text, "The weather was fine.", QUOTE]
    hits = search(fill(bodies(texts)))
    assert [hit["_id"] for hit in hits][2] == "0"
    assert hits[2]["_source"]["rostrum"]["span"] == ""
    for number, expected in enumerate(rerank(texts)[1:], start=1):
        [found] = [hit["_source"]["rostrum"] for hit in hits if hit["_id"] == str(number)]
        assert found["score"] == pytest.approx(expected["score"], abs=1e-4)


@pytest.mark.parametrize(
    "draft",
    [
        "He paid ${parameters.nothing:-evil} dollars",
        "He said ${parameters.query} in Houston",
        "Prices\nHe said ${parameters.documents} and ${parameters.encoded} and $${parameters.query}",
        '{"a": 1}',
        '["a moon"]',
        '"a moon"',
        "1962",
    ],
)
def test_a_draft_is_read_as_it_stands(fill, search, rerank, draft) -> None:
    texts = [QUOTE, "The weather was fine."]
    hits = {hit["_id"]: hit["_source"]["rostrum"] for hit in search(fill(bodies(texts)), text=draft)}
    for number, expected in enumerate(rerank(texts, draft)):
        assert hits[str(number)]["score"] == pytest.approx(expected["score"], abs=1e-4)


@pytest.mark.parametrize("draft", [*SUBSTITUTED, "", " \n", 5, ["a moon"], {"a": "moon"}, None])
def test_a_draft_that_cannot_be_read_leaves_the_hits_as_they_were(fill, search, draft) -> None:
    hits = search(fill(bodies(["The weather was fine.", QUOTE])), text=draft)
    assert [hit["_id"] for hit in hits] == ["0", "1"]
    assert not any("rostrum" in hit["_source"] for hit in hits)


def test_a_score_in_a_document_is_not_taken_for_ours(fill, search) -> None:
    spam = {"body": "The weather was fine.", "rostrum": {"score": 99.0}, "previous_score": 1.0}
    hits = search(fill([spam, {"body": QUOTE}], settings={"index.mapping.total_fields.limit": 50}))
    assert [hit["_id"] for hit in hits] == ["1", "0"]
    assert hits[1]["_source"]["rostrum"]["score"] < 10


def test_hits_without_the_text_come_last(fill, search) -> None:
    lists = [["a", "b"], ["${ml_inference.parameters}", "b"], ["b", ["${ml_inference.parameters}"]], []]
    others = [{"title": "none"}, *({"body": body} for body in (5, True, "", None, *lists))]
    hits = search(fill([*others, {"body": QUOTE}]))
    assert [hit["_id"] for hit in hits] == ["9", *map(str, range(9))]
    assert {hit["_source"]["rostrum"]["span"] for hit in hits[1:]} == {""}


@pytest.mark.parametrize("source", [False, ["title"], {"excludes": ["body"]}])
def test_a_search_that_leaves_out_the_text_is_not_ranked(fill, search, source) -> None:
    hits = search(fill([{"body": "The weather was fine.", "title": "a"}, {"body": QUOTE}]), _source=source)
    assert [hit["_id"] for hit in hits] == ["0", "1"]
    assert not any("rostrum" in hit.get("_source", {}) for hit in hits)


@pytest.fixture(scope="module")
def many(client, installed):
    """An index of 2,000 documents with the pipeline as its default, which docs warn against."""
    name = f"rostrum-many-{os.getpid()}"
    settings = {"number_of_replicas": 0, "index.search.default_pipeline": "rostrum"}
    mappings = {"properties": {"body": {"type": "text"}, "number": {"type": "integer"}}}
    client.indices.create(index=name, body={"settings": settings, "mappings": mappings})
    rows = ({"_index": name, "_id": i, "body": f"moon {i}", "number": i} for i in range(DOCUMENTS))
    helpers.bulk(client, rows, refresh=True)
    yield name
    client.indices.delete(index=f"{name}*")


@pytest.mark.parametrize("size", [100, 500, 1000])
def test_reindex_copies_every_document(client, many, size) -> None:
    body = {"source": {"index": many, "size": size}, "dest": {"index": f"{many}-{size}"}}
    answer = client.reindex(body=body, params={"refresh": "true"})
    assert answer["created"] == DOCUMENTS
    assert client.count(index=f"{many}-{size}")["count"] == DOCUMENTS


@pytest.mark.parametrize("size", [100, 500, 1000])
@pytest.mark.parametrize("draft", [None, DRAFT])
def test_a_scroll_reads_every_document(client, many, size, draft, road) -> None:
    road.fault = "error"  # to rank a thousand texts is not what is tested
    query = {"query": {"match_all": {}}}
    if draft:
        query["ext"] = {"ml_inference": {"query_text": draft}}
    try:
        found = [hit["_id"] for hit in helpers.scan(client, query=query, index=many, size=size)]
    finally:
        road.fault = "none"
    assert sorted(map(int, found)) == list(range(DOCUMENTS))


def test_a_search_for_many_documents_finds_them(client, many) -> None:
    answer = client.search(index=many, body={"size": DOCUMENTS, "query": {"match_all": {}}})
    assert len(answer["hits"]["hits"]) == DOCUMENTS


def test_update_by_query_and_delete_by_query_reach_every_document(client, many) -> None:
    query = {"query": {"match_all": {}}}
    copy = f"{many}-changed"
    settings = {"number_of_replicas": 0, "index.search.default_pipeline": "rostrum"}
    client.indices.create(index=copy, body={"settings": settings})
    rows = ({"_index": copy, "_id": i, "body": f"moon {i}"} for i in range(1000))
    helpers.bulk(client, rows, refresh=True)
    options = {"scroll_size": "100", "refresh": "true"}
    assert client.update_by_query(index=copy, body=query, params=options)["updated"] == 1000
    assert client.delete_by_query(index=copy, body=query, params=options)["deleted"] == 1000
    assert client.count(index=copy)["count"] == 0


def test_status_and_uninstall_name_the_indices_that_would_fail_without_the_pipeline(cli, many) -> None:
    code, output = cli("status")
    assert (code, many in output) == (1, True)
    code, output = cli("uninstall")
    assert (code, many in output) == (2, True)
    assert "default_pipeline" in output
    code, output = cli("status")
    assert "ok  pipeline" in output  # it was not removed


def test_pages_are_disjoint_and_together_complete(fill, search) -> None:
    index = fill(bodies([f"The moon, {number} times" for number in range(15)]))
    query = {"match": {"body": "moon"}}
    pages = [search(index, query=query, size=4, **{"from": start}) for start in (0, 4, 8, 12)]
    assert [len(page) for page in pages] == [4, 4, 4, 3]
    assert len({hit["_id"] for page in pages for hit in page}) == 15
    assert all("rostrum" in hit["_source"] for page in pages for hit in page)


def test_a_sorted_search_keeps_its_order_and_search_after_reads_every_hit(fill, search) -> None:
    years = [1962, 1979, 1961, 1965, 1963]
    index = fill([{"body": QUOTE[:number], "year": year} for number, year in enumerate(years, start=20)])
    found, after = [], {}
    while hits := search(index, size=2, sort=[{"year": "desc"}], **after):
        assert not any("previous_score" in hit["_source"] for hit in hits)
        found += [hit["_source"]["year"] for hit in hits]
        after = {"search_after": hits[-1]["sort"]}
    assert found == [1979, 1965, 1963, 1962, 1961]


def test_a_hybrid_search_has_pages_too(fill, search) -> None:
    index = fill(bodies([f"The moon, {number} times" for number in range(6)]))
    query = {"hybrid": {"pagination_depth": 20, "queries": [{"match": {"body": "moon"}}, {"match_all": {}}]}}
    pages = [search(index, query=query, size=3, **{"from": start}) for start in (0, 3)]
    assert len({hit["_id"] for page in pages for hit in page}) == 6
