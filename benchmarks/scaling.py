"""Estimate the cost of an archive of up to 10^8 paragraphs, from measurements and a simulation.

    python -m benchmarks.scaling

Reads results/archive.json, runner.json and stores.json, and writes results/scaling.json. Disk, indexing and
ranking are measured at existing sizes. All larger sizes are extrapolated, and the page says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import heapreplace
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np

from benchmarks.provenance import record_provenance, write
from benchmarks.render import read_result
from benchmarks.script import make_parser

SIZES = (10**6, 10**7, 10**8)
WIDTH, M = 384, 16
"""Dimension of a vector, and links of a vertex in each layer of a graph, as in opensearch/mappings."""

OVERHEAD = 1.1
"""Memory of graphs relative to their numbers.

Source: OpenSearch's documentation, memory estimation of k-NN.
"""

SHARD_GB = 30
"""Between the 10 and 50 GB that OpenSearch's documentation recommends."""

RATES = (1, 5, 20, 100)  # requests a second
GOAL_S = 2.0
SIMULATED_S = 20_000
"""Long enough for a nearly full queue, which takes a thousand seconds and more to settle."""

SETTLING = 0.1  # share of the first simulated requests, whose queues are too short
ENCODINGS = {
    "fp32": 4 * WIDTH,
    "fp16": 2 * WIDTH,
    "sq8": WIDTH,
    "pq (48 codes)": 48 + 24,
    "on disk, 32 times": WIDTH / 8,
}
"""Bytes of a vector in memory. On disk, whole vectors are read again to rescore the best candidates."""

CORE_HOUR, GB_HOUR, DISK_GB_MONTH = 0.04, 0.005, 0.1
"""Assumed prices in dollars, typical of clouds. Insert your own."""

HOURS = 730  # of a month
HEADROOM = 2.5
"""Disk for the previous generation and for copies of a refresh, relative to one generation."""

HEAP_GB = 1.0  # for each shard
FILES_SHARE = 0.1  # share of the disk that the system caches in memory: assumed


def compute_graph_bytes(vector: float) -> float:
    """Compute the memory of a vector, including its place in an HNSW graph.

    Source: OpenSearch's documentation, 1.1 * (bytes of a vector + 8 * M).

    >>> round(compute_graph_bytes(1536), 1)
    1830.4
    """
    return OVERHEAD * (vector + 8 * M)


def simulate_response_times(
    arrivals: Sequence[float], parts: int, part_s: float, workers: int
) -> list[float]:
    """Return seconds until each request's last part is done; all parts share one queue and take equally
    long.

    >>> simulate_response_times([0.0, 0.0], parts=2, part_s=1.0, workers=2)
    [1.0, 2.0]
    """
    free = [0.0] * workers
    taken = []
    for at in arrivals:
        for _ in range(parts):
            ended = max(at, free[0]) + part_s
            heapreplace(free, ended)
        taken.append(ended - at)
    return taken


def sample_arrivals(rate: float, requests: int, seed: int) -> list[float]:
    """Sample arrival times of independent requests: a Poisson process."""
    drawn = Random(seed)
    return list(accumulate(drawn.expovariate(rate) for _ in range(requests)))


def count_workers(rate: float, parts: int, part_s: float, seed: int) -> tuple[int, float]:
    """Return the least number of workers that finish 95 of 100 requests in `GOAL_S`, and their p95.

    Measure requests only after the queue has reached its final length.
    """
    when = sample_arrivals(rate, round(rate * SIMULATED_S), seed)
    settled = round(SETTLING * len(when))
    workers, p95 = math.floor(rate * parts * part_s), math.inf
    while p95 > GOAL_S:
        workers += 1
        p95 = float(np.quantile(simulate_response_times(when, parts, part_s, workers)[settled:], 0.95))
    return workers, round(p95, 2)


def estimate_sizes(disk_bytes: float, indexed_per_core_s: float) -> dict[str, Any]:
    """Estimate a cluster for an archive, by number of paragraphs: see `estimate_size`."""
    return {f"{n:,}": estimate_size(n, disk_bytes, indexed_per_core_s) for n in SIZES}


def estimate_size(paragraphs: int, disk_bytes: float, indexed_per_core_s: float) -> dict[str, Any]:
    """Estimate disk of one generation, shards, time of indexing, memory and price, without replicas.

    A shard has a core, and there are at least two; graphs are those of fp16.
    """
    disk_gb = paragraphs * disk_bytes / 1e9
    shards = math.ceil(disk_gb / SHARD_GB)
    vectors_gb = {
        name: round(paragraphs * compute_graph_bytes(vector) / 1e9, 2) for name, vector in ENCODINGS.items()
    }
    memory_gb = HEAP_GB * shards + vectors_gb["fp16"] + FILES_SHARE * disk_gb
    return {
        "disk_gb": round(disk_gb, 1),
        "shards": shards,
        "core_hours": round(paragraphs / indexed_per_core_s / 3600, 1),
        "vectors_gb": vectors_gb,
        "memory_gb": round(memory_gb, 1),
        "dollars_a_month": compute_cost(max(2, shards), memory_gb, HEADROOM * disk_gb),
    }


def compute_cost(cores: float, memory_gb: float, disk_gb: float) -> float:
    """Return dollars a month, by the assumed prices.

    >>> compute_cost(cores=2, memory_gb=8, disk_gb=100)
    98
    """
    return round(HOURS * (cores * CORE_HOUR + memory_gb * GB_HOUR) + disk_gb * DISK_GB_MONTH)


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    archive, stores = read_result("archive"), read_result("stores")
    cores = archive["machine"]["cores"]
    largest = max(stores["archives"], key=lambda archive_row: archive_row["paragraphs"])
    latency = archive["whole"]["latency"]
    ranking_s = latency["recommend"]["p50_s"] - latency["candidates"]["p50_s"]
    runner = read_result("runner")
    if runner["candidates"] != archive["ranked"]:
        parser.error("runner.json and archive.json rank other numbers of candidates")
    parts = runner["parts"]
    disk_bytes = largest["disk_mb"] * 2**20 / largest["paragraphs"]
    estimated = estimate_sizes(disk_bytes, archive["index"]["paragraphs_per_s"] / cores)
    part_s = ranking_s * cores / parts
    values = {
        "measured": {
            "disk_bytes": round(disk_bytes),
            "disk_at_paragraphs": largest["paragraphs"],
            "indexed_per_core_s": round(archive["index"]["paragraphs_per_s"] / cores),
            "ranking_core_s": round(ranking_s * cores, 2),
            "ranked": archive["ranked"],
            "engine": archive["engine"],
        },
        "sizes": estimated,
        "workers": {
            str(rate): dict(
                zip(("workers", "p95_s"), count_workers(rate, parts, part_s, options.seed), strict=True)
            )
            for rate in RATES
        },
        "parts": parts,
        "goal_s": GOAL_S,
        "seed": options.seed,
    }
    write("scaling", {**values, **record_provenance(None, []), "models": archive["models"]})


if __name__ == "__main__":
    main()
