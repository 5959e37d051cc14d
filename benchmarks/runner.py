"""Measure the overhead of Celery over the same work in this process, and worker layouts on two cores.

    python -m benchmarks.runner

A request reads a draft and ranks as many candidates as `recommend` does by default. A task that does
nothing, with the payloads of real requests, measures the overhead of Celery: on a busy machine the time of
the models would hide it. Needs redis-server. Writes results/runner.json.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from archive.shipped_files import locate_shipped
from benchmarks.idle_tasks import add_idle
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from jobs.ranking_tasks import split_tasks
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from rostrum_core.ports import Runner
from rostrum_core.settings import Settings
from rostrum_core.types import Candidate, Draft, Paragraph
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers.app import make_app
from workers.runner.celery_runner import CeleryRunner
from workers.runner.inline import InlineRunner
from workers.runner.payloads import join_tokens

CANDIDATES = Settings.candidates
SHORTEST = 200  # characters of a paragraph, typical of the first stage
TIMEOUT_S = 120.0
PROGRAM = ("-m", "benchmarks.idle_tasks")
IDLE_REQUESTS = 100
DRAFT = Draft("Why a rocket to the moon is worth its price", "A young president stood in a stadium. " * 8)
LAYOUTS = {  # one worker each: its options, and the threads of each of its processes
    "1 process, 2 threads": ((), 2),
    "2 processes, 1 thread": (("--concurrency", "2"), 1),
    "2 processes, 2 threads": (("--concurrency", "2"), 2),
}


def sample_candidates(models: Models) -> list[Candidate]:
    """Return paragraphs of the sample speeches, at regular intervals of all."""
    lines = locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines()
    texts = [t for line in lines for t in json.loads(line)["paragraphs"] if len(t) >= SHORTEST]
    texts = texts[:: len(texts) // CANDIDATES][:CANDIDATES]
    return [
        Candidate(Paragraph(str(i), "sample", i, text, 0, len(text)), tokens, {})
        for i, (text, tokens) in enumerate(zip(texts, models.wordpieces.tokenise(texts), strict=True))
    ]


def make_payloads(models: Models, candidates: list[Candidate]) -> list[dict[str, Any]]:
    """Return the payloads of a request, part by part."""
    query = models.wordpieces.tokenise_query(DRAFT.title, DRAFT.left)
    return [
        {
            "query": query,
            "texts": [candidates[i].paragraph.text for i in part],
            "tokens": join_tokens([candidates[i].tokens for i in part]),
        }
        for part in split_tasks([candidate.tokens for candidate in candidates], models.engine.rank_tokens)
    ]


def send_request(runner: Runner, ranked: list[dict[str, Any]]) -> None:
    """Send one request: two calls, as the service makes them."""
    runner.run("draft", [{"title": DRAFT.title, "left": DRAFT.left}], timeout_s=TIMEOUT_S)
    runner.run("rank", ranked, timeout_s=TIMEOUT_S)


def send_idle_request(runner: Runner, ranked: list[dict[str, Any]]) -> None:
    """Send the two calls of a request to the idle task."""
    runner.run("idle", ranked[:1], timeout_s=TIMEOUT_S)
    runner.run("idle", ranked, timeout_s=TIMEOUT_S)


def measure_latency(ask: Callable[[], None], requests: int) -> dict[str, float]:
    """Return least, median and 95th percentile in milliseconds."""
    ask()
    times = []
    for _ in range(requests):
        began = time.monotonic()
        ask()
        times.append((time.monotonic() - began) * 1000)
    quantiles = {"least": 0.0, "p50": 0.5, "p95": 0.95}
    return {f"{name}_ms": round(float(np.quantile(times, at)), 1) for name, at in quantiles.items()}


def measure_runner(
    runner: Runner, ranked: list[dict[str, Any]], requests: int
) -> dict[str, dict[str, float]]:
    """Measure the latency of idle requests and of real ones."""
    return {
        "idle": measure_latency(partial(send_idle_request, runner, ranked), IDLE_REQUESTS),
        "request": measure_latency(partial(send_request, runner, ranked), requests),
    }


@contextmanager
def start_worker(
    redis_url: str, models: Models, options: tuple[str, ...], threads: int
) -> Iterator[CeleryRunner]:
    """Start one worker, and yield a runner to it once it is warm."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        settings = {"models": str(locate_shipped("models"))}
        worker = WorkerProcess(redis_url, log, *options, program=PROGRAM, threads=threads, settings=settings)
        try:
            worker.wait_ready()
            yield CeleryRunner(make_app(redis_url), "cpu", models.hashes)
        finally:
            worker.stop()


def measure_layouts(models: Models, requests: int) -> dict[str, Any]:
    """Measure this process and one worker in each layout."""
    ranking_candidates = sample_candidates(models)
    ranked = make_payloads(models, ranking_candidates)
    where = {"inline, 2 threads": measure_runner(InlineRunner(lambda: models), ranked, requests)}
    server = RedisServer()
    try:
        for name, (options, threads) in LAYOUTS.items():
            with start_worker(server.take_unused(), models, options, threads) as runner:
                where[name] = measure_runner(runner, ranked, requests)
    finally:
        server.close()
    counts = {"requests": requests, "idle_requests": IDLE_REQUESTS}
    return {**counts, "candidates": len(ranking_candidates), "parts": len(ranked), "where": where}


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--requests", type=int, default=30)
    options = parser.parse_args()
    add_idle()
    models = Models(locate_shipped("models"), Engine(threads=2))
    load = {"before": os.getloadavg()[0]}
    result = measure_layouts(models, options.requests)
    load["after"] = os.getloadavg()[0]
    write(
        "runner",
        {**result, "load": load, **record_provenance(models, [locate_shipped("samples/speeches.jsonl")])},
    )


if __name__ == "__main__":
    main()
