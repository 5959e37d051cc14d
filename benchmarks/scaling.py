"""What an archive of up to 10^8 paragraphs takes: from what was measured, by arithmetic and a simulation.

    python -m benchmarks.scaling

Reads results/archive.json, runner.json and stores.json, writes results/scaling.json. Measured are disk,
indexing and ranking at the sizes that are there; all beyond them is multiplied out, and the page says so.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from heapq import heapreplace
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np

from benchmarks.provenance import provenance, write
from benchmarks.render import read_result

SIZES = (10**6, 10**7, 10**8)
WIDTH, M = 384, 16
"""Of a vector, and links of a vertex in each layer of a graph, as in opensearch/mappings."""

OVERHEAD = 1.1
"""Of graphs in memory over their numbers. Source: OpenSearch's documentation, memory estimation of k-NN."""

SHARD_GB = 30
"""Between the 10 and 50 GB that OpenSearch's documentation advises."""

RATES = (1, 5, 20, 100)  # requests a second
GOAL_S = 2.0
SIMULATED_S = 20_000
"""A queue that is nearly full takes a thousand seconds and more to settle."""

SETTLING = 0.1  # of the simulated requests, the first, which found queues emptier than they become
ENCODINGS = {
    "fp32": 4 * WIDTH,
    "fp16": 2 * WIDTH,
    "sq8": WIDTH,
    "pq (48 codes)": 48 + 24,
    "on disk, 32 times": WIDTH / 8,
}
"""Bytes of a vector in memory. On disk, whole vectors are read again for the best of a first look."""

CORE_HOUR, GB_HOUR, DISK_GB_MONTH = 0.04, 0.005, 0.1
"""Assumed prices, in dollars: of the order that clouds ask. Put in your own."""

HOURS = 730  # of a month
HEADROOM = 2.5
"""Disk for the generation before and for what a refresh copies, over that of one generation."""

HEAP_GB = 1.0  # for each shard
FILES_SHARE = 0.1  # of what lies on disk, kept in memory by the system: assumed


def graph_bytes(vector: float) -> float:
    """Memory of a vector of so many bytes with its place in an HNSW graph.

    Source: OpenSearch's documentation, 1.1 * (bytes of a vector + 8 * M).

    >>> round(graph_bytes(1536), 1)
    1830.4
    """
    return OVERHEAD * (vector + 8 * M)


def response_times(arrivals: Sequence[float], parts: int, part_s: float, workers: int) -> list[float]:
    """Seconds until each request's last part is done; parts wait in one queue, each takes as long.

    >>> response_times([0.0, 0.0], parts=2, part_s=1.0, workers=2)
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


def arrivals(rate: float, requests: int, seed: int) -> list[float]:
    """When requests come that know nothing of each other: a Poisson process."""
    drawn = Random(seed)
    return list(accumulate(drawn.expovariate(rate) for _ in range(requests)))


def workers_for(rate: float, parts: int, part_s: float, seed: int) -> tuple[int, float]:
    """The least number of workers by which 95 of 100 requests are done in `GOAL_S`, and their p95.

    It is that of requests that come when the queue is as long as it will be.
    """
    when = arrivals(rate, round(rate * SIMULATED_S), seed)
    settled = round(SETTLING * len(when))
    workers, p95 = math.floor(rate * parts * part_s), math.inf
    while p95 > GOAL_S:
        workers += 1
        p95 = float(np.quantile(response_times(when, parts, part_s, workers)[settled:], 0.95))
    return workers, round(p95, 2)


def sizes(disk_bytes: float, indexed_per_core_s: float) -> dict[str, Any]:
    """What a cluster takes for an archive, by number of paragraphs: see `size`."""
    return {f"{n:,}": size(n, disk_bytes, indexed_per_core_s) for n in SIZES}


def size(paragraphs: int, disk_bytes: float, indexed_per_core_s: float) -> dict[str, Any]:
    """Disk of one generation, shards, time of indexing, memory and price, without a copy of each shard.

    A shard has a core, and there are two at least; graphs are those of fp16.
    """
    disk_gb = paragraphs * disk_bytes / 1e9
    shards = math.ceil(disk_gb / SHARD_GB)
    vectors_gb = {name: round(paragraphs * graph_bytes(each) / 1e9, 2) for name, each in ENCODINGS.items()}
    memory_gb = HEAP_GB * shards + vectors_gb["fp16"] + FILES_SHARE * disk_gb
    return {
        "disk_gb": round(disk_gb, 1),
        "shards": shards,
        "core_hours": round(paragraphs / indexed_per_core_s / 3600, 1),
        "vectors_gb": vectors_gb,
        "memory_gb": round(memory_gb, 1),
        "dollars_a_month": cost(max(2, shards), memory_gb, HEADROOM * disk_gb),
    }


def cost(cores: float, memory_gb: float, disk_gb: float) -> float:
    """Dollars a month, by the assumed prices.

    >>> cost(cores=2, memory_gb=8, disk_gb=100)
    98
    """
    return round(HOURS * (cores * CORE_HOUR + memory_gb * GB_HOUR) + disk_gb * DISK_GB_MONTH)


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    archive, stores = read_result("archive"), read_result("stores")
    cores = archive["machine"]["cores"]
    largest = max(stores["archives"], key=lambda each: each["paragraphs"])
    latency = archive["whole"]["latency"]
    ranking_s = latency["recommend"]["p50_s"] - latency["candidates"]["p50_s"]
    runner = read_result("runner")
    if runner["candidates"] != archive["ranked"]:
        parser.error("runner.json and archive.json rank other numbers of candidates")
    parts = runner["parts"]
    disk_bytes = largest["disk_mb"] * 2**20 / largest["paragraphs"]
    found = sizes(disk_bytes, archive["index"]["paragraphs_per_s"] / cores)
    part_s = ranking_s * cores / parts
    told = {
        "measured": {
            "disk_bytes": round(disk_bytes),
            "disk_at_paragraphs": largest["paragraphs"],
            "indexed_per_core_s": round(archive["index"]["paragraphs_per_s"] / cores),
            "ranking_core_s": round(ranking_s * cores, 2),
            "ranked": archive["ranked"],
            "engine": archive["engine"],
        },
        "sizes": found,
        "workers": {
            str(rate): dict(
                zip(("workers", "p95_s"), workers_for(rate, parts, part_s, given.seed), strict=True)
            )
            for rate in RATES
        },
        "parts": parts,
        "goal_s": GOAL_S,
        "seed": given.seed,
    }
    write("scaling", {**told, **provenance(None, []), "models": archive["models"]})


if __name__ == "__main__":
    main()
