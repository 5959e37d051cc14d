"""`rostrum opensearch install --highlighter` end to end: OpenSearch's semantic highlighter asks us.

The tests run in their order, against one installation.
"""

import os
import re
import unicodedata

import pytest
from opensearchpy.exceptions import NotFoundError

from opensearch.pipeline.highlighter import HighlighterPlan
from rostrum.cli import run
from rostrum_core.errors import BadInput

ACUTE = unicodedata.normalize("NFD", "Café")
TEXTS = {
    "plain": "We meet in Houston. We choose to go to the moon. The weather is fine.",
    "emoji": "🎉🎉 Hello there 👩‍🚀. We choose to go to the moon 🌕! It rains 🌧 again.",
    "marks": f"{ACUTE} {ACUTE} opens. We choose to go to the moon at the {ACUTE}. It rains.",
    "hostile": 'A "moon" \\ rises. ${parameters.question} ${ml_inference.x} <b>We choose to go to the moon.',
    "long": "The moon is far away, and we know it. " * 9_000,
    "short": "moon",
    "empty": "",
}
OPTIONS = ("--highlighter", "--text-field", "body", "--key-from", "RERANK_KEY", "--yes", "--timeout-s", "100")


@pytest.fixture
def rostrum(ml_url, key_file, monkeypatch, capfd):
    """Runs `rostrum opensearch` with the key in a variable; exit code and standard output."""
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", ml_url)
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "60")
    monkeypatch.setenv("RERANK_KEY", key_file[1])

    def act(*arguments: str):
        capfd.readouterr()
        code = run(["opensearch", *arguments])
        return code, capfd.readouterr().out

    return act


@pytest.fixture(scope="module")
def texts_index(client):
    """An index of the texts, and a document without the field."""
    name = f"highlighted-{os.getpid()}"
    client.indices.create(index=name, body={"mappings": {"properties": {"body": {"type": "text"}}}})
    for key, text in TEXTS.items():
        client.index(index=name, id=key, body={"body": text})
    client.index(index=name, id="other", body={"title": "moon"})
    client.indices.refresh(index=name)
    yield name
    client.indices.delete(index=name)


@pytest.fixture
def search(client, texts_index, rostrum):
    """The highlights of a search by id of the hit; `None` for a hit without any."""

    def act(*, batch=True, query="We choose to go to the moon"):
        pipeline = client.transport.perform_request("GET", "/_search/pipeline/rostrum-highlighter")
        [processor] = pipeline["rostrum-highlighter"]["request_processors"]
        options = {"model_id": processor["ml_inference"]["model_id"], "batch_inference": batch}
        fields = {"body": {"type": "unified", "number_of_fragments": 0}}
        body = {
            "query": {"match": {"body": query}},
            "highlight": {
                "fields": fields | ({"rostrum": {"type": "semantic"}} if batch else {}),
                "options": options,
            },
        }
        params = {"search_pipeline": "rostrum-highlighter", "request_timeout": 120}
        hits = client.search(index=texts_index, body=body, params=params)["hits"]["hits"]
        return {hit["_id"]: hit.get("highlight", {}).get("body") for hit in hits}

    return act


def marked(highlights):
    return re.findall("<em>(.*?)</em>", highlights[0], re.DOTALL)


def test_a_field_below_another_is_refused():
    with pytest.raises(BadInput, match="top level"):
        HighlighterPlan(text_field="meta.body")


def test_it_is_installed_once(rostrum, road):
    road.fault = "none"
    code, out = rostrum("install", "--address", road.url, *OPTIONS)
    assert code == 0, out
    assert "rostrum-highlighter highlights body" in out
    assert rostrum("install", "--address", road.url, *OPTIONS)[0] == 0
    assert rostrum("status", "--highlighter")[0] == 0
    code, out = rostrum("status", "--pipeline", "rostrum-highlighter")
    assert code == 1
    assert "pipeline: this is a highlighter: add --highlighter" in out
    assert "install again" not in out


@pytest.mark.parametrize("batch", [True, False])
def test_whole_sentences_are_highlighted_where_they_stand(search, batch):
    highlights = search(batch=batch)
    assert set(highlights) == {"plain", "emoji", "marks", "hostile", "long", "short"}
    assert marked(highlights["plain"]) == ["We choose to go to the moon."]
    assert marked(highlights["emoji"]) == ["We choose to go to the moon 🌕!"]
    assert marked(highlights["marks"]) == [f"We choose to go to the moon at the {ACUTE}."]
    assert any("We choose to go to the moon." in text for text in marked(highlights["hostile"]))
    for key in ("plain", "emoji", "marks", "hostile", "short", "long"):
        assert re.sub("</?em>", "", highlights[key][0]) == TEXTS[key]


@pytest.mark.parametrize("fault", ["error", "junk", "other"])
@pytest.mark.parametrize("batch", [True, False])
def test_without_our_route_the_search_answers_with_the_usual_highlights(search, road, fault, batch):
    road.fault = fault
    highlights = search(batch=batch, query="moon")
    assert marked(highlights["plain"]) == ["moon"]


def test_a_slow_model_costs_the_highlights_and_not_the_search(search, road, rostrum, client):
    road.fault = "none"
    rostrum("install", "--address", road.url, *OPTIONS[:-1], "1")
    road.fault = "slow"
    assert marked(search(query="moon")["plain"]) == ["moon"]
    road.fault = "none"


def test_uninstalled_nothing_of_it_is_left(rostrum, client):
    code, out = rostrum("uninstall", "--highlighter")
    assert code == 0, out
    settings = client.cluster.get_settings(flat_settings=True)
    assert "semantic-highlighter" not in str(settings)
    with pytest.raises(NotFoundError):
        client.transport.perform_request("GET", "/_search/pipeline/rostrum-highlighter")
