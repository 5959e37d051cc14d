"""Changes that are made only to what the client has read, and uploads that are only tried."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.withdraw import withdraw
from rostrum.api.app import make_app
from rostrum.assemble import assemble, open_store
from rostrum_core.errors import Overtaken
from rostrum_core.settings import Settings, read_settings

ROWS = [{"id": "a", "text": "The world will note a."}, {"id": "b", "text": "The world will note b."}]
LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(read_settings({}), archive=tmp_path / "archive")


@pytest.fixture
def own(settings: Settings):
    with TestClient(make_app(assemble(settings)), base_url="http://127.0.0.1") as client:
        assert upload(client, ROWS).json()["report"]["generation"] == "000001"
        yield client


def upload(client: TestClient, rows: list[dict], query: str = "", **headers: str):
    body = "\n".join(map(json.dumps, rows))
    return client.post(f"/v1/documents{query}", content=body, headers=LINES | headers)


def failure(answer) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["field"]


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_a_document_is_deleted_only_as_it_was_read(own, coding: str) -> None:
    tag = own.get("/v1/documents/a", headers={"Accept-Encoding": coding}).headers["etag"]
    assert not tag.startswith("W/")
    assert upload(own, [ROWS[0] | {"text": "Another text."}]).status_code == 200
    for condition in (tag, f'"x", {tag}', "x", ""):
        refused = own.delete("/v1/documents/a", headers={"If-Match": condition})
        assert failure(refused) == (412, "precondition_failed", "If-Match"), condition
    now = own.get("/v1/documents/a", headers={"Accept-Encoding": coding}).headers["etag"]
    weak = own.delete("/v1/documents/a", headers={"If-Match": f"W/{now}"})
    assert failure(weak) == (412, "precondition_failed", "If-Match")
    assert own.delete("/v1/documents/a", headers={"If-Match": f'"x", {now}'}).status_code == 200
    assert own.delete("/v1/documents/a", headers={"If-Match": "*"}).status_code == 404
    assert own.delete("/v1/documents/b", headers={"If-Match": "*"}).status_code == 200


def test_a_change_elsewhere_leaves_the_tag_of_a_document(own) -> None:
    tag = own.get("/v1/documents/a").headers["etag"]
    assert own.delete("/v1/documents/b").status_code == 200
    assert own.get("/v1/documents/a").headers["etag"] == tag
    forbidden = own.delete("/v1/documents/a", headers={"If-None-Match": tag})
    assert failure(forbidden) == (412, "precondition_failed", "If-None-Match")
    assert own.delete("/v1/documents/a", headers={"If-Match": tag}).status_code == 200


def test_an_upload_and_a_deletion_are_bound_to_the_generation_that_was_read(own) -> None:
    assert upload(own, [{"id": "c", "text": "C."}], "?generation=000001").status_code == 200
    stale = upload(own, [{"id": "d", "text": "D."}], "?generation=000001")
    assert failure(stale) == (409, "other_generation", "generation")
    stale = own.delete("/v1/documents?document=a&generation=000001")
    assert failure(stale) == (409, "other_generation", "generation")
    assert [info["id"] for info in own.get("/v1/documents").json()["documents"]] == ["a", "b", "c"]
    assert own.delete("/v1/documents?document=a&generation=000002").json()["deleted"] == 1


def test_a_condition_that_many_documents_cannot_meet_is_not_ignored(own) -> None:
    for headers in ({"If-Match": '"x"'}, {"If-None-Match": "*"}):
        assert upload(own, ROWS, **headers).status_code == 412
        assert own.delete("/v1/documents?document=a", headers=headers).status_code == 412
    assert len(own.get("/v1/documents").json()["documents"]) == 2


def test_a_dry_run_of_an_upload_reports_and_writes_nothing(own, settings: Settings) -> None:
    rows = [ROWS[0], ROWS[1] | {"text": "Other."}, {"id": "c", "text": "C.", "speeker": "Ann"}, {"id": "d"}]
    would = upload(own, rows, "?dry_run=true").json()
    counts = {name: would["report"][name] for name in ("added", "replaced", "unchanged", "refused")}
    assert counts == {"added": 1, "replaced": 1, "unchanged": 1, "refused": 1}
    assert would["report"]["generation"] is None
    assert [line["line"] for line in would["refused"]] == [4]
    assert [generation.name for generation in open_store(settings).generations()] == ["000001"]
    done = upload(own, rows).json()
    assert {name: done["report"][name] for name in counts} == counts
    assert (done["refused"], done["passed_over"]) == (would["refused"], would["passed_over"])


def test_a_deletion_from_another_generation_than_was_read_is_overtaken(own, settings: Settings) -> None:
    store = open_store(settings)
    with pytest.raises(Overtaken, match="000000"):
        withdraw(["a"], store, base="000000")
    assert withdraw(["a"], store, base="000001") == "000002"
