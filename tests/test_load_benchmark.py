"""The load benchmark, for seconds in place of minutes."""

from benchmarks.load import WARMING, drafts, measured, serving


def test_several_clients_at_once_are_answered_without_an_error(sample_archive) -> None:
    with serving(sample_archive, 4, candidates="4", timeout_s="280") as process:
        assert drafts(process.url, 0) == drafts(process.url, 0) != drafts(process.url, 1)
        found = measured(process, [1, 4], 2.0, seed=0)
    assert found["drafts"] > 100
    for clients, figures in found["clients"].items():
        assert figures["requests"] >= int(clients)
        assert (figures["errors"], figures["degraded"]) == ({}, 0)
        assert 0 < figures["p50_s"] <= figures["p95_s"]
    assert found["statuses"] == {"200": WARMING + sum(each["requests"] for each in found["clients"].values())}
