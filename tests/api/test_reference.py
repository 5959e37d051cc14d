"""The pages for people, which load nothing from elsewhere, and what models there are."""

import re

import pytest


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_loads_nothing(client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert re.findall(r"<script|<link|<img|@import|url\(|https?://", answer.text) == []


def test_the_page_of_the_service_names_every_operation_and_field(client) -> None:
    page, document = client.get("/docs").text, client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
    form = document["components"]["schemas"]["RecommendForm"]
    assert [name for name in form["properties"] if f"<td><code>{name}</code>" not in page] == []


def test_the_links_of_the_first_page_lead_somewhere(client) -> None:
    links = re.findall("href='([^']+)'", client.get("/").text)
    assert links
    assert [client.get(f"/{link}").status_code for link in links] == [200] * len(links)


def test_models_are_named_with_their_hashes(client, service) -> None:
    [model] = client.get("/v1/models").json()["data"]
    assert (model["id"], model["object"]) == ("rostrum", "model")
    assert model["hashes"] == dict(service.models.hashes)
    assert client.get("/info").json()["model_sha"] == service.models.hashes["ranker"]
