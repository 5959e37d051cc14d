"""The same question about the same archive is answered from memory."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from archive.shipped_files import locate_shipped
from reranker.models.files import FUSION, MANIFEST
from reranker.models.weights import hash_file
from rostrum.api.app import make_app
from rostrum.api.routes import cache
from rostrum.api.routes.cache import Answers, compute_tag
from rostrum.api.routes.search import SearchForm
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings

from .conftest import LOOPBACK, PATIENCE_S

LINES = {"Content-Type": "application/x-ndjson"}
ASKED = {"left": "The world will remember, and"}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[TestClient]:
    """A client of an archive of one speech."""
    settings = replace(read_settings({}), archive=tmp_path / "archive", timeout_s=PATIENCE_S)
    with TestClient(make_app(assemble(settings)), base_url=LOOPBACK) as client:
        add(client, "a", "The world will little note.")
        yield client


def add(client: TestClient, name: str, text: str) -> None:
    line = json.dumps({"id": name, "text": text})
    assert client.post("/v1/documents", content=line, headers=LINES).status_code == 200


def lookups(client: TestClient, found: str) -> float:
    line = f'rostrum_answer_lookups_total{{found="{found}"}} '
    lines = [each for each in client.get("/metrics").text.splitlines() if each.startswith(line)]
    return float(lines[0].removeprefix(line)) if lines else 0


def test_the_same_question_is_answered_once_whatever_time_it_has(own) -> None:
    first = own.post("/v1/recommend", json=ASKED)
    second = own.post("/v1/recommend", json={**ASKED, "timeout_ms": 250_000})
    assert second.content == first.content
    assert second.headers["etag"] == first.headers["etag"]
    assert (lookups(own, "no"), lookups(own, "yes")) == (1, 1)


@pytest.mark.parametrize(
    "other", [{"limit": 9}, {"title": "T"}, {"explain": True}, {"filter": {"since": "1900"}}]
)
def test_another_question_is_another_answer(own, other) -> None:
    first = own.post("/v1/recommend", json=ASKED).headers["etag"]
    assert own.post("/v1/recommend", json={**ASKED, **other}).headers["etag"] != first
    assert lookups(own, "yes") == 0


def test_a_new_state_of_the_archive_is_asked_anew(own) -> None:
    before = own.post("/v1/recommend", json=ASKED)
    add(own, "b", "Nor long remember what we say here.")
    after = own.post("/v1/recommend", json=ASKED)
    assert after.headers["etag"] != before.headers["etag"]
    assert (before.json()["generation"], after.json()["generation"]) == ("000001", "000002")
    assert len(after.json()["recommendations"]) == 2


def test_a_degraded_answer_is_neither_kept_nor_tagged(own) -> None:
    degraded = own.post("/v1/recommend", json={**ASKED, "timeout_ms": 1})
    assert degraded.json()["degraded"]
    assert "etag" not in degraded.headers
    assert own.post("/v1/recommend", json=ASKED).json()["degraded"] == []


def test_a_client_that_has_the_answer_gets_no_other(own) -> None:
    address = "/v1/search?q=the+world"
    tag = own.get(address).headers["etag"]
    again = own.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert own.get(address, headers={"If-None-Match": 'W/"other"'}).status_code == 200
    assert own.head(address, headers={"If-None-Match": tag}).status_code == 304


def weighing(models: Path, weights: str) -> Service:
    """A service whose models merge the stages by other weights."""
    shutil.copytree(locate_shipped("models"), models)
    (models / FUSION).write_text(weights, "utf-8")
    manifest = json.loads((models / MANIFEST).read_text("utf-8"))
    manifest["files"][FUSION] = hash_file(models / FUSION)
    (models / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    return assemble(replace(read_settings({}), archive=models.parent / "archive", models=models))


def test_other_weights_of_the_stages_are_another_answer(tmp_path: Path) -> None:
    weights = (locate_shipped("models") / FUSION).read_text("utf-8")
    asked = SearchForm(left="The world will remember")
    as_shipped = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    same, other = (
        weighing(tmp_path / name, content) for name, content in (("same", weights), ("other", weights + "\n"))
    )
    assert compute_tag(asked, None, same) == compute_tag(asked, None, as_shipped)
    assert compute_tag(asked, None, other) != compute_tag(asked, None, as_shipped)


def test_another_version_of_the_service_gives_another_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, asked = assemble(replace(read_settings({}), archive=tmp_path)), SearchForm(left="The world")
    before = compute_tag(asked, None, service)
    monkeypatch.setattr(cache, "version", lambda _: "99.0")
    assert compute_tag(asked, None, service) != before


def test_answers_that_were_not_asked_for_longest_make_room() -> None:
    answers = Answers(10)
    for tag in "abc":
        answers.keep(tag, b"1234")
        answers.get("a")
    assert [answers.get(tag) for tag in "abc"] == [b"1234", None, b"1234"]
    answers.keep("large", b"1" * 11)
    assert answers.get("large") is None
    assert answers.get("a") == b"1234"


def test_nothing_is_kept_where_there_is_no_room() -> None:
    answers = Answers(0)
    answers.keep("a", b"1")
    assert answers.get("a") is None
