"""Documents that a filter selects: counted for a user interface, and deleted at once."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings

ROWS = [
    {"id": "a", "speaker": "Ann Lee", "date": "1962-09-12", "collection": "press", "text": "One."},
    {"id": "b", "speaker": "Ann Lee", "date": "1963-01-01", "text": "Two."},
    {"id": "c", "speaker": "Bob Ray", "date": "1963-02-02", "collection": "press", "text": "Three."},
]


@pytest.fixture
def own(tmp_path: Path):
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        lines = "\n".join(map(json.dumps, ROWS))
        client.post("/v1/documents", content=lines, headers={"Content-Type": "application/x-ndjson"})
        yield client


def test_values_are_counted_the_largest_first(own) -> None:
    answer = own.get("/v1/facets")
    facets = answer.json()
    assert facets["documents"] == 3
    assert facets["speakers"] == [{"value": "Ann Lee", "documents": 2}, {"value": "Bob Ray", "documents": 1}]
    assert facets["collections"] == [{"value": "press", "documents": 2}]
    assert facets["years"] == [{"value": "1963", "documents": 2}, {"value": "1962", "documents": 1}]
    assert own.get("/v1/facets", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_a_filter_selects_what_is_counted(own) -> None:
    facets = own.get("/v1/facets?collection=press&since=1963").json()
    assert (facets["documents"], facets["speakers"]) == (1, [{"value": "Bob Ray", "documents": 1}])


def test_a_filter_deletes_in_one_step_and_a_dry_run_nothing(own) -> None:
    would = own.delete("/v1/documents?speaker=Ann+Lee&dry_run=true").json()
    assert would == {"deleted": 2, "documents": ["a", "b"], "generation": None}
    assert len(own.get("/v1/documents").json()["documents"]) == 3
    done = own.delete("/v1/documents?speaker=Ann+Lee").json()
    assert done == {"deleted": 2, "documents": ["a", "b"], "generation": "000002"}
    assert [each["id"] for each in own.get("/v1/documents").json()["documents"]] == ["c"]


def test_without_a_filter_nothing_is_deleted(own) -> None:
    for query in ("", "?dry_run=false"):
        assert own.delete(f"/v1/documents{query}").status_code == 422
    assert own.delete("/v1/documents?speeker=Ann+Lee").status_code == 422
    assert own.delete("/v1/documents?speaker=Nobody").json()["deleted"] == 0
    assert len(own.get("/v1/documents").json()["documents"]) == 3
