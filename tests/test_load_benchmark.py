"""The load benchmark, for seconds in place of minutes."""

from benchmarks.load import WARMING, measure_clients, sample_drafts, start_service


def test_several_clients_at_once_are_answered_without_an_error(sample_archive) -> None:
    with start_service(sample_archive, 4, candidates="4", timeout_s="280") as process:
        assert sample_drafts(process.url, 0) == sample_drafts(process.url, 0) != sample_drafts(process.url, 1)
        found = measure_clients(process, [1, 4], 2.0, seed=0)
    assert found["drafts"] > 100
    for clients, figures in found["clients"].items():
        assert figures["requests"] >= int(clients)
        assert (figures["errors"], figures["degraded"]) == ({}, 0)
        assert 0 < figures["p50_s"] <= figures["p95_s"]
    assert found["statuses"] == {"200": WARMING + sum(each["requests"] for each in found["clients"].values())}
