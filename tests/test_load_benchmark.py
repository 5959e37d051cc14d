"""The load benchmark, for seconds in place of minutes."""

from benchmarks.load import WARMING, drafts, measured, serving
from benchmarks.speed_tables import load_table


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


def test_a_table_has_a_row_for_each_number_of_clients() -> None:
    row = {"requests": 240, "errors": {"Busy": 2, "Unreachable": 1}, "degraded": 0, "seconds": 120.4}
    row |= {"per_s": 2.0, "p50_s": 0.5, "p95_s": 0.75, "machine_load": 2.1}
    found = {"clients": {"1": row}, "documents": 57, "paragraphs": 4208, "engine": "onnxruntime"}
    found |= {"precision": "float32", "machine": {"cores": 2}, "places": 1, "ranked": 50}
    assert "| 1 | 240 | 3 | 0 | 2.0 | 500 / 750 ms | 2.1 |" in load_table(found).splitlines()
