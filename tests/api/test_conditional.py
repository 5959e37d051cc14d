"""Entity tags and pages of one generation, as RFC 9110 and the docs have them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from rostrum.api.app import make_app
from rostrum.api.edge.conditional import parse_tags
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings

LINES = {"Content-Type": "application/x-ndjson"}
PATHS = (
    "/v1/search?q=a+rocket+to+the+moon&limit=2",
    "/v1/documents?limit=2",
    "/v1/documents/1863-11-19-gettysburg-address",
)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ('"a"', ["a"]),
        ('W/"a"', ["a"]),
        (' W/"a" ,"b" , W/"c,d"', ["a", "b", "c,d"]),
        ('"a",,"b",', ["a", "b"]),
        ('""', [""]),
        ('xW/"a"', []),
        ('w/"a"', []),
        ("a", []),
        ('"a', []),
        ('"a" "b"', []),
        ("*", []),
        ("", []),
    ],
)
def test_a_list_of_tags_is_parsed_as_the_grammar_has_it(text: str, tags: list[str]) -> None:
    assert parse_tags(text) == tags


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_that_the_client_has_is_304(client, path: str) -> None:
    first = client.get(path)
    tag = first.headers["etag"]
    strong = tag.removeprefix("W/")
    for condition in (tag, strong, "*", f'"x", {tag}', f"{strong},"):
        again = client.get(path, headers={"If-None-Match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag), condition
    two_lines = client.get(path, headers=[("If-None-Match", '"x"'), ("If-None-Match", tag)])
    assert two_lines.status_code == 304
    for condition in (f"x{tag}", strong.strip('"'), '"other"', tag[:-1]):
        assert client.get(path, headers={"If-None-Match": condition}).status_code == 200, condition
    assert first.headers["cache-control"] == "private, no-cache"


def test_what_cannot_be_answered_is_no_304(client) -> None:
    for path, status in (("/v1/documents/none", 404), ("/v1/search?q=", 422)):
        assert client.get(path, headers={"If-None-Match": "*"}).status_code == status


def test_a_condition_on_a_post_is_ignored(client) -> None:
    answer = client.post("/v1/search", json={"left": "moon", "limit": 1}, headers={"If-None-Match": "*"})
    assert answer.status_code == 200


def test_large_answers_are_compressed_where_the_client_takes_it(client) -> None:
    plain = client.get(PATHS[2], headers={"Accept-Encoding": "identity"})
    packed = client.get(PATHS[2], headers={"Accept-Encoding": "gzip"})
    refused = client.get(PATHS[2], headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 1.5
    assert packed.json() == plain.json()
    assert "Accept-Encoding" in packed.headers["vary"]


def test_pages_of_another_generation_than_the_first_are_refused(tmp_path: Path) -> None:
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        for name in "ab":
            row = json.dumps({"id": name, "text": f"The world will note {name}."})
            assert client.post("/v1/documents", content=row, headers=LINES).status_code == 200
            if name == "a":
                first = client.get("/v1/documents?limit=1").json()["generation"]
        for path in ("/v1/documents?after=a", "/v1/search?q=world"):
            assert client.get(f"{path}&generation=000002").json()["generation"] == "000002"
            answer = client.get(f"{path}&generation={first}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other_generation")
            assert answer.json()["error"]["field"] == "generation"
