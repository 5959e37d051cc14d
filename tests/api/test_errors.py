"""All errors have one shape, `{"error": {"code", "message", "field"?}}`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import BODY, make_app
from rostrum.api.edge.capacity import Capacity
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum.assemble import assemble
from rostrum_core.errors import ModelError, RedisAway, RostrumError, StoreError, TaskError

from .conftest import LOOPBACK, MOON

SECRET = "nobody knows this sentence"


def read_error(answer) -> dict:
    """The error of an answer, which holds nothing else."""
    body = answer.json()
    assert body.keys() == {"error"}
    assert {"code", "message"} <= body["error"].keys() <= {"code", "message", "field"}
    assert body["error"]["message"]
    return body["error"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "left"),
        ({"left": "  "}, "left"),
        ({"left": 5}, "left"),
        ({"left": SECRET, "limt": 3}, "limt"),
        ({"left": SECRET, "limit": 0}, "limit"),
        ({"left": SECRET, "limit": 1001}, "limit"),
        ({"left": SECRET, "limit": "3"}, "limit"),
        ({"left": SECRET, "limit": True}, "limit"),
        ({"left": SECRET, "candidates": 1001}, "candidates"),
        ({"left": SECRET, "tei": 1}, "tei"),
        ({"left": SECRET, "timeout_ms": 0}, "timeout_ms"),
        ({"left": "x" * (LONGEST_TEXT + 1)}, "left"),
        ({"left": SECRET, "filter": {"speaker": ["A"]}}, "filter.speaker"),
        ({"left": SECRET, "filter": {"speakers": "A"}}, "filter.speakers"),
        ({"left": SECRET, "filter": {"since": "2020", "until": "1999"}}, "filter.since"),
        ({"left": SECRET, "filter": {"until": "1962-13"}}, "filter.until"),
        ({"left": SECRET, "filter": {"documents": ["none"]}}, "filter.documents"),
    ],
)
def test_bad_input_names_the_field_and_repeats_nothing_of_the_draft(client, asked, field) -> None:
    answer = client.post(
        "/v1/recommend", content=json.dumps(asked), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 422
    assert (read_error(answer)["code"], read_error(answer).get("field")) == ("bad_input", field)
    assert SECRET not in answer.text
    assert len(answer.text) < 500


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b"1" * 5_000])
def test_what_is_no_json_is_told_so(client, body) -> None:
    answer = client.post("/v1/recommend", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 413, 422)
    assert read_error(answer)["code"] in ("malformed", "bad_input", "too_large")


@pytest.mark.parametrize("body", [b'["left"]', b'"left"', b"null", b""])
def test_json_that_is_no_object_is_bad_input(client, body) -> None:
    answer = client.post("/v1/recommend", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, read_error(answer)["code"]) == (422, "bad_input")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body is empty: an object of JSON is expected"),
        (b"[]", "an object of JSON is expected"),
        (b'{"left": "m", "filter": 5}', "an object of JSON is expected"),
        (b'{"lft": "m"}', "there is no such field or parameter"),
        (b'{"left": "m', "the body is not JSON: Unterminated string starting at character 10"),
        (
            b'{"left": "m",}',
            "the body is not JSON: Expecting property name enclosed in double quotes at character 14",
        ),
        (
            b'{"left": "caf\xe9"}',
            "the body cannot be read: send JSON in UTF-8, not nested deeply, no number too long",
        ),
        (
            b'{"left": "m", "limit": ' + b"9" * 5000 + b"}",
            "the body cannot be read: send JSON in UTF-8, not nested deeply, no number too long",
        ),
        (
            b'{"left": "m", "filter": {"since": "1962-09-12T10:00:00Z"}}',
            "'1962-09-12T10:00:00Z' is not a date",
        ),
    ],
)
def test_a_fault_of_a_body_is_told_so_that_its_writer_can_mend_it(client, body, message) -> None:
    answer = client.post("/v1/search", content=body, headers={"content-type": "application/json"})
    assert read_error(answer)["message"].startswith(message)


def test_an_object_without_a_text_is_ranked_by_its_fields_as_the_original_does(client) -> None:
    answer = client.post("/v2/rerank", json={"query": "m", "documents": ["a", {"txt": "b"}]})
    assert sorted(result["index"] for result in answer.json()["results"]) == [0, 1]


def test_a_search_without_a_query_names_what_it_needs(client) -> None:
    assert client.get("/v1/search").json()["error"] == {
        "code": "bad_input",
        "message": "it is needed",
        "field": "q",
    }


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_is_not_said_to_be_json_is_not_taken_for_it(client, kind) -> None:
    for path in ("/v1/recommend", "/v1/search"):
        answer = client.post(path, content=json.dumps(MOON), headers={"content-type": kind} if kind else {})
        assert (answer.status_code, read_error(answer)["code"]) == (415, "unsupported_media_type")
        assert "application/json" in read_error(answer)["message"]


def test_a_text_that_is_too_long_is_told_in_characters(client) -> None:
    for path, sent in (("/v1/recommend", {"left": "a" * 200_001}), ("/v1/search", {"title": "a" * 2_001})):
        answer = client.post(path, json=sent)
        assert (answer.status_code, read_error(answer)["field"]) == (422, next(iter(sent)))
        assert read_error(answer)["message"].endswith("characters")


def test_an_emoji_that_was_cut_in_two_is_no_fault(client) -> None:
    draft = json.dumps({"left": "The rocket \ud83d", "title": "\udc00", "limit": 1})
    answer = client.post("/v1/search", content=draft, headers={"content-type": "application/json"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("/v1/search?q=moon&q=sea", "q"),
        ("/v1/search?q=moon&limit=1&limit=2", "limit"),
        ("/v1/documents?after=a&after=b", "after"),
    ],
)
def test_one_value_that_is_given_twice_is_refused(client, address, field) -> None:
    answer = client.get(address)
    assert (answer.status_code, read_error(answer)["field"]) == (422, field)
    assert read_error(answer)["message"] == "is given more than once, and takes one value"


def test_names_may_be_given_more_than_once(client) -> None:
    answer = client.get("/v1/search?q=moon&speaker=John+F.+Kennedy&speaker=Nobody")
    assert {each["document"]["speaker"] for each in answer.json()["recommendations"]} == {"John F. Kennedy"}


def test_an_unknown_address_is_not_found(client) -> None:
    for path in ("/nothing", "/v1/nothing", "/v1/recommend/"):
        answer = client.get(path)
        assert (answer.status_code, read_error(answer)["code"]) == (404, "not_found")


def test_another_method_is_refused_and_the_right_one_named(client) -> None:
    answer = client.get("/v1/recommend")
    assert (answer.status_code, read_error(answer)["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"
    assert client.put("/v1/documents").headers["allow"] == "DELETE, GET, HEAD, POST"
    assert client.post("/v1/documents/a/b").headers["allow"] == "DELETE, GET, HEAD"


def test_every_method_that_an_address_answers_is_named(client) -> None:
    paths = ["/openapi.json", *client.get("/openapi.json").json()["paths"]]
    for path in paths:
        named = client.request("TRACE", path).headers["allow"].split(", ")
        answered = {
            each for each in ("GET", "HEAD", "PUT", "PATCH") if client.request(each, path).status_code != 405
        }
        assert answered == {each for each in named if each not in ("POST", "DELETE")}, path


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/recommend"),
        ("POST", "/v1/search"),
        ("GET", "/v1/search?q=moon"),
        ("GET", "/v1/documents"),
        ("GET", "/v1/documents/none"),
        ("GET", "/v1/jobs"),
        ("POST", "/v1/jobs"),
        ("GET", "/v1/jobs/none"),
        ("DELETE", "/v1/jobs/none"),
        ("POST", "/v1/rerank/opensearch"),
    ],
)
def test_a_parameter_that_nobody_reads_is_refused(client, method, path) -> None:
    asked = f"{path}{'&' if '?' in path else '?'}dry_run=1"
    answer = client.request(method, asked, json=MOON if method == "POST" else None)
    assert (answer.status_code, read_error(answer)["field"]) == (422, "dry_run")


def test_a_body_that_is_too_large_is_refused_by_its_announced_length(client) -> None:
    answer = client.post("/v1/recommend", content=b" " * (BODY.size_bytes + 1))
    assert (answer.status_code, read_error(answer)["code"]) == (413, "too_large")


def test_a_body_that_is_too_large_is_refused_while_it_is_read(client) -> None:
    pieces = (b" " * 65_536 for _ in range(BODY.size_bytes // 65_536 + 1))
    answer = client.post("/v1/recommend", content=pieces)
    assert "content-length" not in answer.request.headers
    assert (answer.status_code, read_error(answer)["code"]) == (413, "too_large")


def test_a_store_that_is_away_is_503_and_worth_another_try(service, tmp_path: Path) -> None:
    settings = replace(service.settings, opensearch_url="http://127.0.0.1:1", opensearch_timeout_s=0.5)
    with TestClient(make_app(assemble(settings)), base_url=LOOPBACK) as away:
        for answer in (away.post("/v1/recommend", json=MOON), away.get("/ready")):
            assert (answer.status_code, read_error(answer)["code"]) == (503, "archive_unavailable")
            assert int(answer.headers["retry-after"]) > 0
            assert "127.0.0.1" not in answer.text
        assert away.get("/health").json() == {"status": "ok"}


def test_an_archive_without_a_generation_is_503(service, tmp_path: Path) -> None:
    settings = replace(service.settings, archive=tmp_path / "none")
    with TestClient(make_app(assemble(settings)), base_url=LOOPBACK) as empty:
        for answer in (empty.post("/v1/recommend", json=MOON), empty.get("/ready")):
            assert (answer.status_code, read_error(answer)["code"]) == (503, "nothing_published")
            assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (StoreError(SECRET), 503, "archive_unavailable"),
        (TaskError(SECRET), 503, "workers_unavailable"),
        (RedisAway(SECRET), 503, "redis_unavailable"),
        (ModelError(SECRET), 503, "models_unavailable"),
        (RostrumError(SECRET), 500, "internal"),
        (ValueError(SECRET), 500, "internal"),
    ],
)
def test_a_failure_of_ours_is_told_in_general(service, error, status, code) -> None:
    app = make_app(service)

    @app.get("/fails")
    def fails() -> None:
        raise error

    with TestClient(app, base_url=LOOPBACK, raise_server_exceptions=False) as failing:
        answer = failing.get("/fails")
    assert (answer.status_code, read_error(answer)["code"]) == (status, code)
    assert SECRET not in answer.text


def test_one_request_more_than_there_are_places_is_429(service: Service) -> None:
    app = make_app(service)
    assembly = app.state.assembly
    full = replace(assembly.places, ranking=Capacity(0, "requests", most_waiting=1, wait_s=0.1))
    with TestClient(app, base_url=LOOPBACK) as client:
        app.state.assembly = replace(assembly, places=full)
        answer = client.post("/v1/recommend", json=MOON)
        assert (answer.status_code, read_error(answer)["code"]) == (429, "too_many_requests")
        assert int(answer.headers["retry-after"]) > 0
        for path in ("/health", "/v1/documents", "/v1/search?q=moon"):  # other work has places of its own
            assert client.get(path).status_code == 200
        app.state.assembly = assembly
        assert client.post("/v1/recommend", json={**MOON, "limit": 1, "candidates": 1}).status_code == 200
        assert assembly.places.count_taken() == 0
