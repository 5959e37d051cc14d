"""`/v1/operate` and what it leads to: generations, jobs of this process, dead letters, saved drafts."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from archive.canary.saved_drafts import SavedDraft, SavedDrafts
from archive.index_files import index
from archive.service import Service
from indexer.dead_letters import DEAD_LETTERS, DeadLetters
from rostrum.api.app import make_app
from rostrum.assemble import assemble, open_queues
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft
from tools.redis_server import RedisServer
from workers.alive import make_key

SPEECHES = {
    "moon": "We choose to go to the moon in this decade, not because it is easy, but because it is hard.",
    "road": "The road is long, and it is to be mended before the winter.",
    "night": "The night is young, and so are all of you.",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "speeches"
    folder.mkdir()
    for name, text in SPEECHES.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


@pytest.fixture
def service(models, tmp_path: Path, sources: Path) -> Service:
    """Two generations: of two speeches, and of three."""
    service = assemble(
        replace(read_settings({}), archive=tmp_path / "archive", sources=sources, canary="block")
    )
    letters = DeadLetters(service.settings.archive / DEAD_LETTERS)
    index(service, [sources / "road.txt", sources / "night.txt"], letters, root=sources)
    index(service, [sources], letters)
    return service


@pytest.fixture
def operator(service: Service) -> Iterator[TestClient]:
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        yield client


def overview(client: TestClient) -> dict[str, Any]:
    answer = client.get("/v1/operate")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def wait_ended(client: TestClient, job_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while True:
        job: dict[str, Any] = client.get(f"/v1/jobs/{job_id}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        assert time.monotonic() < deadline, job
        time.sleep(0.1)


def test_the_overview_shows_the_archive_the_models_and_what_happened(operator, service) -> None:
    shown = overview(operator)

    assert shown["problems"] == {}
    assert [(each["name"], each["published"]) for each in shown["generations"]] == [
        ("000001", False),
        ("000002", True),
    ]
    assert shown["disk"]["place"] == str(service.settings.archive)
    assert 0 < shown["disk"]["size_bytes"] < shown["disk"]["free_bytes"]
    assert shown["models"]["hashes"] == dict(service.models.hashes)
    assert shown["models"]["fits_archive"]
    assert (shown["jobs"], shown["queues"]) == ([], None)
    assert [(event["kind"], event["outcome"], event["generation"]) for event in shown["history"]] == [
        ("refresh", "published", "000002"),
        ("refresh", "published", "000001"),
    ]
    assert shown["history"][0]["facts"]["added"] == 1


def test_a_part_that_cannot_be_read_does_not_hide_the_others(operator, service) -> None:
    (service.settings.archive / "canary.json").write_text("{")
    shown = overview(operator)
    assert shown["canary"] is None
    assert "canary.json cannot be read" in shown["problems"]["canary"]
    assert len(shown["generations"]) == 2


def test_generations_are_published_and_rolled_back(operator) -> None:
    back = operator.post("/v1/generations/rollback")
    assert (back.status_code, back.json()["published"]["name"]) == (200, "000001")
    assert operator.get("/v1/documents/moon").status_code == 404
    forth = operator.post("/v1/generations/000002/publish", json={})
    assert (forth.status_code, forth.json()["published"]["name"]) == (200, "000002")
    assert operator.get("/v1/documents/moon").status_code == 200
    unknown = operator.post("/v1/generations/000009/publish", json={})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "not_found")
    names = [each["name"] for each in operator.get("/v1/generations").json()["generations"]]
    assert names == ["000001", "000002"]
    (last, *_) = overview(operator)["history"]
    assert (last["kind"], last["facts"]["previous"]) == ("publication", "000001")


def test_a_generation_that_loses_an_expected_speech_needs_force(operator) -> None:
    form = {"name": "moon", "title": "A rocket to the moon", "left": "He said", "expect": ["moon"]}
    assert operator.post("/v1/canary", json=form).status_code == 201
    assert [draft["name"] for draft in operator.get("/v1/canary").json()["drafts"]] == ["moon"]

    compared = operator.post("/v1/canary/compare", json={"generation": "000001"}).json()
    held = operator.post("/v1/generations/000001/publish", json={"force": False})

    assert (compared["before"], compared["after"]) == ("000002", "000001")
    assert compared["changes"][0]["missing"] == ["moon"]
    assert compared["changes"][0]["lost"][0]["deleted"]
    assert (held.status_code, held.json()["error"]["code"]) == (409, "withheld")
    assert overview(operator)["generations"][1]["published"]
    forced = operator.post("/v1/generations/000001/publish", json={"force": True})
    assert (forced.status_code, forced.json()["published"]["name"]) == (200, "000001")
    assert forced.json()["comparison"]["changes"][0]["missing"] == ["moon"]
    assert operator.delete("/v1/canary/moon").status_code == 204
    assert operator.delete("/v1/canary/moon").status_code == 404


def test_a_saved_draft_is_deleted_whatever_its_name(operator) -> None:
    for name in ("moon/1", "a//b", "compare", "50% of it?"):
        assert operator.post("/v1/canary", json={"name": name, "left": "He said"}).status_code == 201
        assert operator.delete(f"/v1/canary/{quote(name, safe='')}").status_code == 204
    assert operator.get("/v1/canary").json() == {"drafts": []}
    assert operator.delete("/v1/canary/").status_code == 404


def test_a_saved_draft_must_have_words_and_speeches_that_exist(operator) -> None:
    empty = operator.post("/v1/canary", json={"name": "a"})
    unknown = operator.post("/v1/canary", json={"name": "a", "left": "x", "expect": ["sun"]})
    assert (empty.status_code, empty.json()["error"]["field"]) == (422, "left")
    assert (unknown.status_code, unknown.json()["error"]["field"]) == (422, "expect")
    nobody = {"name": "a", "left": "x", "filter": {"speakers": ["Nobody"]}}
    refused = operator.post("/v1/canary", json=nobody)
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "filter.speakers")
    nothing = operator.post("/v1/canary/compare", json={"generation": "000001"})
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (422, "bad_input")


def test_dead_letters_are_counted_by_cause_and_their_files_read_again(operator, sources) -> None:
    assert operator.post("/v1/dead-letters/retry").json()["error"]["code"] == "nothing_refused"
    bad = sources / "bad.jsonl"
    fields = {"Body": "text"}
    bad.write_text('{"id": "a"\n{"id": "b"\n')
    job = wait_ended(operator, operator.post("/v1/jobs", json={"fields": fields}).json()["id"])
    assert job["request"]["fields"] == {"body": "text"}
    assert (job["state"], job["outcome"]["report"]["refused"]) == ("done", 2)

    letters = operator.get("/v1/dead-letters").json()

    assert letters["total"] == 2
    assert [(cause["letter_class"], cause["letters"]) for cause in letters["causes"]] == [("refused", 2)]
    assert {letter["file"] for letter in letters["letters"]} == {str(bad)}
    assert [letter["line"] for letter in letters["letters"]] == [1, 2]
    assert overview(operator)["dead_letters"]["retryable"] == 1
    bad.write_text('{"id": "sun", "body": "The sun also rises."}\n')
    retried = wait_ended(operator, operator.post("/v1/dead-letters/retry").json()["id"])
    assert retried["request"]["paths"] == [str(bad)]
    assert (retried["state"], retried["outcome"]["report"]["added"]) == ("done", 1)
    assert operator.get("/v1/dead-letters").json()["total"] == 0
    assert operator.get("/v1/documents/bad.jsonl/sun").status_code in (200, 404)
    assert [job["state"] for job in operator.get("/v1/jobs").json()["jobs"]] == ["done", "done"]


def test_a_job_of_this_process_that_fails_says_why_and_one_runs_at_a_time(operator, sources) -> None:
    job = operator.post("/v1/jobs", json={"paths": ["none.txt"]}).json()
    ended = wait_ended(operator, job["id"])
    assert ended["state"] == "failed"
    assert "'none.txt' is not there among the sources" in ended["error"]
    assert operator.get("/v1/jobs/none").status_code == 404
    for number in range(30):
        (sources / f"{number}.txt").write_text(f"Speech {number} is about the number {number}. " * 40)
    long = operator.post("/v1/jobs", json={}).json()
    busy = operator.post("/v1/jobs", json={})
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "archive_busy")
    assert operator.delete(f"/v1/jobs/{long['id']}").status_code == 200
    assert wait_ended(operator, long["id"])["state"] == "cancelled"
    assert len(operator.get("/v1/documents").json()["documents"]) == 3


def test_two_dots_in_the_path_of_the_sources_lead_nowhere_else(service, sources, monkeypatch) -> None:
    (sources / "2024").mkdir()
    monkeypatch.chdir(sources / "2024")
    settings = replace(service.settings, sources=Path("../../speeches"))
    own = Service(settings, service.store, service.runner, service.models)
    with TestClient(make_app(own), base_url="http://127.0.0.1") as client:
        for names in ([], ["road.txt"], ["*.txt"]):
            job = wait_ended(client, client.post("/v1/jobs", json={"paths": names}).json()["id"])
            assert (job["state"], job["outcome"]["report"]["refused"]) == ("done", 0), job
        away = wait_ended(client, client.post("/v1/jobs", json={"paths": ["../archive"]}).json()["id"])
    assert "leads out of the sources" in away["error"]


def test_the_queues_of_a_redis_show_what_waits_and_who_takes_it(redis_server: RedisServer) -> None:
    from redis import Redis

    url = redis_server.take_unused()
    with Redis.from_url(url) as client:
        client.set(make_key("encode"), 1)
        client.set(make_key("encode", "node-1"), 1)
        client.lpush("refresh", "a", "b")
        queues = open_queues(replace(read_settings({}), redis_url=url))
        assert queues is not None
        shown = queues.describe()
    states = {state.name: (state.waiting, state.machines) for state in shown.queues}
    assert states == {
        "rerank.cpu": (0, ()),
        "rerank.gpu": (0, ()),
        "encode": (0, ("node-1",)),
        "refresh": (2, ()),
    }
    assert (shown.in_progress, shown.has_beat) == (0, False)


def test_results_that_readers_saw_are_recorded_for_the_next_comparison(operator, service) -> None:
    SavedDrafts(service.settings.archive).save(SavedDraft("road", Draft("On roads", "The road")))
    assert operator.post("/v1/generations/000001/publish", json={}).status_code == 200
    shown = overview(operator)["canary"]
    assert shown == {"policy": "block", "drafts": ["road"], "generation": "000001"}
