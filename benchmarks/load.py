"""Measure the HTTP service under many clients: each requests recommendations, one after the other.

    python -m benchmarks.load --clients 1 4 16 --seconds 120
    python -m benchmarks.load --archive FOLDER

Starts `rostrum serve` on loopback over the sample speeches, or over an existing archive. The drafts are
paragraphs of its speeches, none of them answered from a cache; each number of clients has its own drafts.
The service has a place for every client. The clients run in one process next to the service, on the same
cores. Writes results/load.json.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from benchmarks.script import ROSTRUM, compute_quantiles, make_parser
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from rostrum.client import AsyncClient, Client, ServiceError
from rostrum_core.settings import Settings
from rostrum_core.types import Draft
from tools.service_process import ServiceProcess

SAMPLES = "samples/speeches.jsonl"
SPEECHES, DRAFTS = 50, 500
SHORTEST = 200  # characters of a paragraph used as a draft
TIMEOUT_S = 120.0
WARMING = 4  # requests before timing starts, so that files and buffers are read


@dataclass
class Course:
    """Count the outcomes of the requests of all clients."""

    seconds: list[float] = field(default_factory=list)
    degraded: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def sample_drafts(url: str, seed: int) -> list[Draft]:
    """Sample paragraphs of the archive's speeches by `seed`, each as the text before a quote."""
    drawn = Random(seed)
    with Client(url, timeout_s=TIMEOUT_S) as client:
        documents = list(client.documents())
        speeches = [
            client.get(document.id) for document in drawn.sample(documents, min(SPEECHES, len(documents)))
        ]
    paragraphs = [
        Draft(speech.document.title, paragraph.text)
        for speech in speeches
        for paragraph in speech.paragraphs
        if len(paragraph.text) >= SHORTEST
    ]
    drawn.shuffle(paragraphs)
    return paragraphs[:DRAFTS]


async def send_requests(url: str, drafts_to_send: Sequence[Draft], clients: int, seconds: float) -> Course:
    """Send requests from `clients` clients, each one after the other, for `seconds`; return the outcomes."""
    course, until = Course(), time.monotonic() + seconds

    async def run_client(client: AsyncClient, mine: Iterator[Draft]) -> None:
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                answer = await client.recommend(next(mine))
            except ServiceError as error:
                course.errors[type(error).__name__] += 1
            else:
                course.seconds.append(time.monotonic() - began)
                course.degraded += bool(answer.degraded)

    async with AsyncClient(url, timeout_s=TIMEOUT_S) as client:
        await asyncio.gather(
            *(
                run_client(client, cycle(islice(drafts_to_send, number, None, clients)))
                for number in range(clients)
            )
        )
    return course


def measure_clients(
    process: ServiceProcess, clients: Sequence[int], seconds: float, seed: int
) -> dict[str, Any]:
    """Return figures by the number of clients, and the service's count of answers by status."""
    sampled = sample_drafts(process.url, seed)
    warming, asking = sampled[:WARMING], sampled[WARMING:]
    with Client(process.url, timeout_s=TIMEOUT_S) as client:
        for draft in warming:
            client.recommend(draft)
    if len(asking) // len(clients) < max(clients):
        raise SystemExit(f"{len(sampled)} paragraphs to ask with are too few for {max(clients)} clients")
    figures = {
        str(n): _measure_one(process.url, asking[row :: len(clients)], n, seconds)
        for row, n in enumerate(clients)
    }
    lines = (line for line in process.read_lines() if line.get("route") == "/v1/recommend")
    statuses = Counter(str(line["status"]) for line in lines)
    return {"drafts": len(sampled), "seed": seed, "clients": figures, "statuses": dict(statuses)}


def _measure_one(url: str, asking: Sequence[Draft], clients: int, seconds: float) -> dict[str, Any]:
    began = time.monotonic()
    course = asyncio.run(send_requests(url, asking, clients, seconds))
    took_s = time.monotonic() - began
    times = course.seconds or [float("nan")]
    return {
        "seconds": round(took_s, 1),
        "requests": len(course.seconds) + course.errors.total(),
        "errors": dict(course.errors),
        "degraded": course.degraded,
        "per_s": round(len(course.seconds) / took_s, 2),
        **compute_quantiles(times, "p{}_s", 3),
        "machine_load": round(os.getloadavg()[0], 1),
    }


@contextmanager
def start_service(archive: Path, places: int, **settings: str) -> Iterator[ServiceProcess]:
    """Start a service of the shipped models with a place for every client.

    It has no cache and no rate limit.
    """
    places_for_all = {"api_concurrency": str(places), "api_cache_bytes": "0", "api_requests_per_minute": "0"}
    places_for_all["models"] = str(locate_shipped("models"))
    with tempfile.TemporaryDirectory() as folder:
        process = ServiceProcess(
            Path(folder) / "log", "--archive", str(archive), **places_for_all, **settings
        )
        try:
            yield process.wait_serving()
        finally:
            process.stop()


def sample_archive(folder: Path) -> Path:
    """Build an archive of the sample speeches."""
    archive = folder / "archive"
    subprocess.run([*ROSTRUM, "index", str(locate_shipped(SAMPLES)), "--archive", str(archive)], check=True)
    return archive


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="onnxruntime")
    parser.add_argument("--precision", default="float32")
    parser.add_argument("--name", default="load", help="of the result")
    options = parser.parse_args()
    computed = {"engine": options.engine, "precision": options.precision}
    models, most = (
        Models(locate_shipped("models"), Engine(options.engine, options.precision)),
        max(options.clients),
    )
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or sample_archive(Path(folder))
        with start_service(archive, most, **computed) as process:
            with Client(process.url, timeout_s=TIMEOUT_S) as client:
                ready = client.ready()
            result = measure_clients(process, options.clients, options.seconds, options.seed)
    counts = {"documents": ready.documents, "paragraphs": ready.paragraphs}
    settings = {"places": most, "ranked": Settings.candidates}
    data = [] if options.archive else [locate_shipped(SAMPLES)]
    write(options.name, {**counts, **computed, **settings, **result, **record_provenance(models, data)})


if __name__ == "__main__":
    main()
