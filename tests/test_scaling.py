"""The arithmetic and the simulation of docs/scaling.md, against what theory says."""

import pytest

from benchmarks.scaling import (
    compute_cost,
    compute_graph_bytes,
    count_workers,
    estimate_sizes,
    sample_arrivals,
    simulate_response_times,
)


def test_one_worker_keeps_requests_waiting_as_long_as_pollaczek_and_khinchine_say():
    service_s, rate = 0.5, 1.2  # load 0.6: 0.5 s, and 0.6 * 0.5 / (2 * 0.4) s of waiting
    taken = simulate_response_times(sample_arrivals(rate, 200_000, seed=3), 1, service_s, 1)
    assert sum(taken) / len(taken) == pytest.approx(0.875, rel=0.03)


def test_requests_come_at_their_rate():
    assert sample_arrivals(20, 20_000, seed=1)[-1] == pytest.approx(1000, rel=0.03)


def test_parts_are_shared_among_workers():
    assert simulate_response_times([0.0], parts=5, part_s=0.2, workers=2) == [pytest.approx(0.6)]
    assert simulate_response_times([0.0, 10.0], parts=5, part_s=0.2, workers=5) == [0.2, pytest.approx(0.2)]


def test_workers_are_the_least_that_reach_the_goal():
    workers, p95_s = count_workers(5, parts=5, part_s=0.2, seed=1)
    assert workers > 5 * 5 * 0.2
    assert p95_s <= 2.0
    fewer = simulate_response_times(sample_arrivals(5, 100_000, seed=1), 5, 0.2, workers - 1)
    assert sorted(fewer)[int(0.95 * len(fewer))] > 2.0


@pytest.mark.slow
def test_workers_that_are_nearly_full_are_judged_when_their_queue_has_grown():
    when = sample_arrivals(20, 400_000, seed=1)
    workers, p95_s = count_workers(20, parts=5, part_s=0.2, seed=1)
    later = sorted(simulate_response_times(when, 5, 0.2, workers)[len(when) // 2 :])
    assert p95_s == pytest.approx(later[int(0.95 * len(later))], rel=0.1)


def test_a_million_paragraphs_of_4_kb_are_multiplied_out():
    row = estimate_sizes(disk_bytes=4000, indexed_per_core_s=100)["1,000,000"]
    assert row["disk_gb"] == 4.0
    assert row["shards"] == 1
    assert row["core_hours"] == 2.8  # 10,000 s
    assert row["vectors_gb"]["fp16"] == 0.99  # 1.1 * (768 + 128) bytes each
    assert row["memory_gb"] == 2.4  # 1 of heap, 0.99, and a tenth of the disk
    assert row["dollars_a_month"] == 68  # 58.40 for two cores, 8.73 for memory, 1 for disk
    assert estimate_sizes(4000, 100)["100,000,000"]["shards"] == 14  # 400 GB in shards of 30


def test_pages_of_fp32_and_of_32_times_less_are_those_of_the_documentation():
    assert compute_graph_bytes(1536) == pytest.approx(1830.4)
    assert compute_graph_bytes(48) == pytest.approx(193.6)


def test_memory_and_disk_have_their_price():
    assert compute_cost(cores=0, memory_gb=1, disk_gb=0) == 4  # 730 hours at half a cent
    assert compute_cost(cores=0, memory_gb=0, disk_gb=1000) == 100
