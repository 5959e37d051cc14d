"""`POST /v1/recommend` over the sample archive and the shipped models."""

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import ASGITransport, AsyncClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.api.routes.recommend import AnswerForm
from rostrum.assemble import assemble
from rostrum.cli import run
from rostrum_core.errors import StoreError
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft

from .conftest import LOOPBACK, MOON

SPACE = "1962-09-12-address-space-effort"


def test_where_redis_is_stands_in_the_log_and_not_in_the_answer(sample_archive, caplog) -> None:
    settings = replace(read_settings({}), archive=sample_archive, redis_url="redis://127.0.0.1:1/0")
    with TestClient(make_app(assemble(settings)), base_url=LOOPBACK) as client:
        answer = client.post("/v1/recommend", json=MOON)
    assert answer.json()["degraded"][0] == "dense: Redis cannot be used"
    assert "127.0.0.1" not in answer.text
    assert "127.0.0.1:1" in caplog.text
    assert "degraded" in [record.message for record in caplog.records]


def test_each_request_that_has_a_place_has_a_thread(sample_archive, monkeypatch) -> None:
    together = threading.Barrier(60, timeout=30)

    def recommend(*_: object, **__: object) -> None:
        together.wait()
        raise StoreError("none")

    monkeypatch.setattr(Service, "recommend", recommend)
    app = make_app(assemble(replace(read_settings({}), archive=sample_archive, api_concurrency=60)))

    async def asked() -> list[int]:
        transport = ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=transport, base_url=LOOPBACK) as client,
        ):
            drafts = [
                {**MOON, "title": f"Draft {number}"} for number in range(60)
            ]  # equal ones share a place
            answers = await asyncio.gather(*(client.post("/v1/recommend", json=draft) for draft in drafts))
        return [answer.status_code for answer in answers]

    assert asyncio.run(asked()) == [503] * 60
    assert not together.broken


def without_times(answer: dict) -> dict:
    return {**answer, "timings_s": sorted(answer["timings_s"])}


def test_an_answer_is_what_the_command_line_prints_as_json(
    client: TestClient, service: Service, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "280")
    line = [
        "recommend",
        "--title",
        MOON["title"],
        "--left",
        MOON["left"],
        "--limit",
        "3",
        "--json",
        "--explain",
    ]
    capfd.readouterr()
    assert run([*line, "--archive", str(service.settings.archive)]) == 0
    printed = json.loads(capfd.readouterr().out)
    answered = client.post("/v1/recommend", json={**MOON, "limit": 3, "explain": True})
    assert answered.status_code == 200
    assert without_times(answered.json()) == without_times(printed)


def test_the_speech_that_the_draft_is_about_comes_first_with_its_words_marked(client: TestClient) -> None:
    answer = client.post("/v1/recommend", json=MOON).json()
    first = answer["recommendations"][0]
    assert first["document"]["id"] == SPACE
    [span] = first["spans"]
    assert 0 <= span["start_char"] < span["end_char"] <= len(first["paragraph"]["text"])
    assert first["quote"] == first["paragraph"]["text"][span["start_char"] : span["end_char"]]
    assert first["attribution"] == "John F. Kennedy, Address on the Space Effort, September 12, 1962"
    assert len(answer["recommendations"]) == 10
    assert answer["candidates"] == 50
    assert answer["degraded"] == []
    assert answer["timings_s"].keys() == {"draft", "candidates", "rank", "merge", "print"}


def test_filter_limit_and_candidates_hold(client: TestClient) -> None:
    chosen = {"speakers": ["john f. kennedy"], "since": "1961", "until": "1962-12"}
    asked = {**MOON, "filter": chosen, "limit": 5, "candidates": 7}
    answer = client.post("/v1/recommend", json=asked).json()
    assert answer["candidates"] <= 7
    assert 0 < len(answer["recommendations"]) <= 5
    for each in answer["recommendations"]:
        assert each["document"]["speaker"] == "John F. Kennedy"
        assert "1961-01-01" <= each["document"]["spoken_on"] <= "1962-12-31"


def test_with_the_day_of_the_draft_each_answer_tells_how_recent_its_speech_is(client: TestClient) -> None:
    answer = client.post("/v1/recommend", json={**MOON, "written_on": "1962-09-19"}).json()
    recency = {each["document"]["id"]: each["scores"]["recency"] for each in answer["recommendations"]}
    assert recency[SPACE] == pytest.approx(-2.0794, abs=1e-4)  # seven days: -log(8)
    undated = client.post("/v1/recommend", json={**MOON, "written_on": None}).json()
    assert {each["scores"]["recency"] for each in undated["recommendations"]} == {None}


@pytest.mark.parametrize("day", ["1962", "19 September 1962", "1962-09-31", ""])
def test_a_day_of_the_draft_that_is_none_is_told_by_its_field(client: TestClient, day: str) -> None:
    refused = client.post("/v1/recommend", json={**MOON, "written_on": day})
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "written_on"
    by_address = client.get("/v1/search", params={"q": "the moon", "written_on": day})
    assert (by_address.status_code, by_address.json()) == (422, refused.json())


def test_an_explanation_tells_what_was_asked_and_how_it_was_weighed(
    client: TestClient, service: Service
) -> None:
    plain = client.post("/v1/recommend", json={**MOON, "limit": 1}).json()
    explained = client.post("/v1/recommend", json={**MOON, "limit": 1, "explain": True}).json()
    assert "explanation" not in plain
    assert explained["explanation"]["queries"]["documents"] == f"{MOON['title']} {MOON['left']}"
    assert set(explained["explanation"]["queries"]["paragraphs"].split()) >= {"rocket", "houston", "stadium"}
    assert explained["explanation"]["weights"]["alpha"] == service.models.fusion.alpha


def test_only_the_speeches_of_the_answer_are_read_once_ranking_has_begun(service: Service) -> None:
    begun = []

    class Runner:
        def run(self, task: str, payloads: Sequence[Any], *, timeout_s: float) -> list[Any]:
            begun.extend([task] if task == "rank" else [])
            return service.runner.run(task, payloads, timeout_s=timeout_s)

    class Store:
        def __getattr__(self, name: str) -> Any:
            assert not begun or name == "get", name
            return getattr(service.store, name)

    own = Service(service.settings, Store(), Runner(), service.models)  # type: ignore[arg-type]
    with TestClient(make_app(own), base_url=LOOPBACK) as client:
        answer = client.post("/v1/recommend", json={**MOON, "explain": True})
    assert (answer.status_code, answer.json()["degraded"], bool(begun)) == (200, [], True)


def test_what_is_asked_for_is_looked_at_before_it_is_explained(tmp_path: Path) -> None:
    empty = assemble(replace(read_settings({}), archive=tmp_path))
    with TestClient(make_app(empty), base_url=LOOPBACK) as client:
        for asked, field in (({"left": ""}, "left"), ({**MOON, "filter": {"since": "soon"}}, "filter.since")):
            answer = client.post("/v1/recommend", json={**asked, "explain": True})
            assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


def test_without_time_the_first_stage_answers_and_says_so(client: TestClient) -> None:
    answer = client.post("/v1/recommend", json={**MOON, "limit": 9, "timeout_ms": 1}).json()
    assert len(answer["recommendations"]) == 9
    assert any(each.startswith("rank: ") for each in answer["degraded"])
    assert all(each["scores"]["final"] is None for each in answer["recommendations"])


def test_a_client_gets_no_more_time_than_the_service_gives(service: Service) -> None:
    from rostrum.api.routes.drafts import RecommendForm

    assert RecommendForm(timeout_ms=10_000).limit_timeout(most_s=2.5) == 2.5
    assert RecommendForm(timeout_ms=1_500).limit_timeout(most_s=2.5) == 1.5
    assert RecommendForm().limit_timeout(most_s=2.5) == 2.5


def test_every_example_of_the_openapi_document_is_answered_in_the_form_it_promises(
    client: TestClient,
) -> None:
    examples = client.get("/openapi.json").json()["components"]["schemas"]["RecommendForm"]["examples"]
    assert len(examples) == 2
    for example in examples:
        answered = client.post("/v1/recommend", json=example)
        assert answered.status_code == 200
        answer = AnswerForm.model_validate(answered.json())
        assert len(answer.recommendations) == example["limit"]


def test_the_draft_is_read_as_it_was_sent(client: TestClient, service: Service) -> None:
    """Quotes, newlines and what is no ASCII arrive as they are: the answer is that of the draft itself."""
    left = '„Wir wollten zum Mond\u201d,\nhe said \\"not because it is easy\\" \U0001f680 and'
    answer = client.post("/v1/recommend", json={"left": left, "limit": 4}).json()
    expected = service.recommend(Draft(left=left), limit=4)
    got = [(each["paragraph"]["id"], each["scores"]["final"]) for each in answer["recommendations"]]
    assert got == [(each.paragraph.id, each.scores["final"]) for each in expected.recommendations]
