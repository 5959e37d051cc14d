"""`/metrics`: what Prometheus is told."""

from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from rostrum.api.app import make_app

from .conftest import LOOPBACK, MOON


def samples(client: TestClient) -> dict[tuple, float]:
    """The value of each sample by its name and labels, as Prometheus's own parser reads them."""
    families = text_string_to_metric_families(client.get("/metrics").text)
    return {(s.name, *s.labels.values()): s.value for family in families for s in family.samples}


def test_requests_stages_and_what_was_skipped_are_counted(service) -> None:
    with TestClient(make_app(service), base_url=LOOPBACK) as client:
        assert client.post("/v1/recommend", json={**MOON, "candidates": 1}).status_code == 200
        assert client.post("/v1/recommend", json={**MOON, "timeout_ms": 1}).status_code == 200
        client.post("/v1/recommend", json={"left": "nobody knows this sentence", "limit": 0})
        client.get("/no/such/address")
        client.request("FROBNICATE", "/no/such/address")
        found = samples(client)
        text = client.get("/metrics").text
    recommend = ("rostrum_request_seconds_count", "POST", "/v1/recommend")
    assert (found[(*recommend, "200")], found[(*recommend, "422")]) == (2, 1)
    assert found[("rostrum_request_seconds_count", "GET", "none", "404")] == 1
    assert found[("rostrum_request_seconds_count", "other", "none", "404")] == 1
    assert found[("rostrum_stage_seconds_count", "merge")] == 2
    assert found[("rostrum_degraded_total", "rank")] == 1
    assert found[("rostrum_requests_in_progress",)] == 0
    assert "nobody" not in text
    assert "such" not in text
