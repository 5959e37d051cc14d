"""Pages of other origins: kept out unless they are named, and then let in without their browser's cookies."""

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum_core.errors import BadInput
from rostrum_core.settings import read_settings

from .conftest import LOOPBACK

OURS, FOREIGN = "https://desk.example.org", "https://evil.example.org"


@pytest.fixture
def opened(service: Service):
    settings = replace(service.settings, api_origins=(OURS,))
    app = make_app(Service(settings, service.store, service.runner, service.models))
    with TestClient(app, base_url=LOOPBACK) as client:
        yield client


def preflight(client: TestClient, origin: str):
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = "authorization,content-type"
    return client.options("/v1/recommend", headers=asked)


def test_no_page_is_let_in_unless_it_is_named(client) -> None:
    assert "access-control-allow-origin" not in client.get("/health", headers={"Origin": OURS}).headers
    assert preflight(client, OURS).status_code == 405


def test_a_named_origin_may_ask_and_is_told_errors_too(opened) -> None:
    allowed = preflight(opened, OURS)
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == OURS
    assert "access-control-allow-credentials" not in allowed.headers
    answer = opened.post("/v1/recommend", json={}, headers={"Origin": OURS})
    assert answer.status_code == 422
    assert answer.headers["access-control-allow-origin"] == OURS
    assert "Retry-After" in answer.headers["access-control-expose-headers"]


def test_a_named_origin_is_told_what_nobody_foresaw(opened) -> None:
    @opened.app.get("/fails")
    def fails() -> None:
        raise ValueError

    with TestClient(opened.app, base_url=LOOPBACK, raise_server_exceptions=False) as failing:
        answer = failing.get("/fails", headers={"Origin": OURS})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert answer.headers["access-control-allow-origin"] == OURS
    assert answer.headers["X-Request-ID"]


def test_another_origin_is_not(opened) -> None:
    assert preflight(opened, FOREIGN).status_code == 400
    answer = opened.get("/v1/documents", headers={"Origin": FOREIGN})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "origins", ["*", "desk.example.org", "https://a/", "https://a, null", "https://a\nb"]
)
def test_what_is_no_origin_is_refused(origins) -> None:
    with pytest.raises(BadInput, match="ROSTRUM_API_ORIGINS"):
        read_settings({"ROSTRUM_ARCHIVE": "a", "ROSTRUM_API_ORIGINS": origins})
