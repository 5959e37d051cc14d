"""Freeze, kill and restart every part of a cluster at random while clients query it and refreshes run.

    python -m benchmarks.soak --minutes 30 --clients 8 --seed 1

Starts OpenSearch, Redis, two workers of requests, one that encodes, one of refresh jobs and the service on
this machine. Every few seconds a part drawn by the seed is frozen (SIGSTOP) for a while, or killed and
started again. A refresh runs all the time: before each, a document is added to the transcripts.

Count the answers that are wrong (whole, but with another first paragraph than without faults), late (after
the time that a request has and `GRACE_S`), or degraded. Count also the documents that are lost or doubled
in the end, and the seconds from the end of a fault to the next whole answer. Writes results/soak.json.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import numpy as np

from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from opensearch import Connection, OpenSearchStore
from tools.opensearch_node import Node, find_memory_folder
from tools.program import ProgramProcess
from tools.redis_server import RedisServer
from tools.service_process import ServiceProcess
from tools.worker_process import WorkerProcess

CANDIDATES = 20
"""Asked for by name: without it, the service ranks fewer of 50 while many requests wait, and says so."""

SPEECHES = 8
TIMEOUT_S = 30.0
GRACE_S = 5.0
FROZEN_S = (1.0, 20.0)
BETWEEN_S = (5.0, 25.0)
SETTLE_S = 300.0
DRAFTS = (
    ("Why a rocket to the moon is worth its price", "The president told the crowd in Houston"),
    ("Ask not", "He asked his fellow citizens what they could do for their country"),
    (
        "The only thing we have to fear",
        "In the depth of the depression the new president spoke of fear itself",
    ),
)


@dataclass
class Tally:
    """Count the outcomes of requests, and the seconds of recovery after each fault."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    recoveries: list[tuple[str, float]] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    last_whole: float = 0.0


@dataclass
class Part:
    """Describe a part of the cluster: how to reach its process, and how to restart it after a kill."""

    process: Callable[[], int]
    restart: Callable[[], None]


class Cluster:
    """Run all parts in a folder. `parts` are those that may break."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sources = folder / "sources"
        self.sources.mkdir()
        lines = Path(locate_shipped("samples/speeches.jsonl")).read_text("utf-8").splitlines()[-SPEECHES:]
        (self.sources / "speeches.jsonl").write_text("\n".join(lines), "utf-8")
        self.documents = len(lines)
        self.node, self.redis = Node(scratch=find_memory_folder()), RedisServer()
        self.settings = {
            "opensearch_url": self.node.url,
            "opensearch_timeout_s": "10",
            "redis_url": self.redis.url,
            "sources": str(self.sources),
            "archive": str(folder / "archive"),
            "timeout_s": str(TIMEOUT_S),
            "api_cache_bytes": "0",  # every answer comes from workers
            "api_requests_per_minute": "0",
        }
        self._programs: dict[str, ProgramProcess] = {}
        self.parts: dict[str, Part] = {}
        self._starts = 0
        for name, queues in (("worker-1", "rerank.cpu"), ("worker-2", "rerank.cpu"), ("encoder", "encode")):
            self._add(name, partial(self._start_worker, queues))
        self._add("refresh", partial(self._start_worker, "refresh"))
        self._add("service", self._start_service)
        self.parts["redis"] = Part(lambda: self.redis.process.pid, self._restart_redis)
        self.parts["opensearch"] = Part(lambda: self.node.process.pid, self._restart_node)

    @property
    def url(self) -> str:
        """Current address of the service; the port changes at each restart."""
        service = self._programs["service"]
        return service.url if isinstance(service, ServiceProcess) else ""

    def refresh(self) -> int:
        """Run `rostrum refresh` and return its exit code."""
        command = ProgramProcess(self.folder / "refresh-log", ["refresh"], self.settings)
        return command.process.wait()

    def add_document(self) -> None:
        """Add a speech of one paragraph to the transcripts."""
        self.documents += 1
        text = f"This is the soak's speech number {self.documents}, and it is about patience."
        speech = {"id": f"soak-{self.documents}", "title": "Soak", "paragraphs": [text]}
        path = self.sources / f"soak-{self.documents}.jsonl"
        path.with_suffix(".new").write_text(json.dumps(speech), "utf-8")
        path.with_suffix(".new").rename(path)

    def close(self) -> None:
        """Stop all parts."""
        for program in self._programs.values():
            program.kill()
        self.redis.close()
        self.node.stop()

    def _add(self, name: str, start: Callable[[Path], ProgramProcess]) -> None:
        def restart() -> None:
            if name in self._programs:
                self._programs[name].kill()
            self._starts += 1
            self._programs[name] = start(self.folder / f"{name}-{self._starts}.log")

        restart()
        self.parts[name] = Part(lambda: self._programs[name].process.pid, restart)

    def _start_worker(self, queues: str, log: Path) -> ProgramProcess:
        settings = {name: value for name, value in self.settings.items() if name != "redis_url"}
        worker = WorkerProcess(self.redis.url, log, "--queues", queues, settings=settings)
        return worker.wait_ready()

    def _start_service(self, log: Path) -> ProgramProcess:
        return ServiceProcess(log, **self.settings).wait_serving()

    def _restart_redis(self) -> None:
        self.redis.end()
        self.redis.start()

    def _restart_node(self) -> None:
        self.node.kill()
        self.node.start()


def refresh_first(cluster: Cluster) -> None:
    """Fill the archive; try again on a machine that is too busy at first.

    Raises:
        SystemExit: no attempt succeeded.
    """
    for _ in range(3):
        if not cluster.refresh():
            return
    raise SystemExit((cluster.folder / "refresh-log").read_text("utf-8")[-2000:])


def run_soak(cluster: Cluster, minutes: float, clients: int, seed: int) -> dict[str, Any]:
    """Break parts for `minutes` and return the counts."""
    best = [ask(cluster.url, draft)["recommendations"][0]["paragraph"]["id"] for draft in DRAFTS]
    tally, over = Tally(), threading.Event()
    threads = [
        threading.Thread(target=ask_on, args=(cluster, best, tally, over, Random(f"{seed} {number}")))
        for number in range(clients)
    ]
    threads.append(threading.Thread(target=refresh_on, args=(cluster, tally, over)))
    for thread in threads:
        thread.start()
    break_on(cluster, minutes, Random(seed), tally)
    over.set()
    for thread in threads:
        thread.join()
    return summarise(tally) | check_archive(cluster)


def ask(url: str, draft: tuple[str, str]) -> dict[str, Any]:
    """Return the service's answer to a draft."""
    body = {"title": draft[0], "left": draft[1], "limit": 3, "candidates": CANDIDATES}
    response = httpx2.post(f"{url}/v1/recommend", json=body, timeout=TIMEOUT_S + 10 * GRACE_S)
    answer: dict[str, Any] = response.raise_for_status().json()
    return answer


def ask_on(
    cluster: Cluster, best: Sequence[str], tally: Tally, over: threading.Event, random: Random
) -> None:
    """Send requests until `over` is set, and count each answer as whole, wrong, degraded, late, or as a kind
    of error.
    """
    while not over.is_set():
        number, began, url = random.randrange(len(DRAFTS)), time.monotonic(), cluster.url
        try:
            answer = ask(url, DRAFTS[number])
        except httpx2.HTTPStatusError as error:
            tally.counts[f"status {error.response.status_code}"] += 1
        except httpx2.TransportError:
            tally.counts["service away"] += 1  # killed or frozen, as all its clients notice
            time.sleep(1)
        else:
            elapsed_s = time.monotonic() - began
            tally.seconds.append(elapsed_s)
            tally.counts["late"] += elapsed_s > TIMEOUT_S + GRACE_S
            kind = "degraded" if answer["degraded"] else "whole"
            tally.counts[kind] += 1
            if kind == "whole":
                tally.last_whole = time.monotonic()
                tally.counts["wrong"] += answer["recommendations"][0]["paragraph"]["id"] != best[number]


def refresh_on(cluster: Cluster, tally: Tally, over: threading.Event) -> None:
    """Add a document and refresh, until `over` is set; after a failed refresh the next continues."""
    while not over.is_set():
        cluster.add_document()
        tally.counts["refreshes failed" if cluster.refresh() else "refreshes"] += 1
        time.sleep(1)


def break_on(cluster: Cluster, minutes: float, random: Random, tally: Tally) -> None:
    """Freeze or kill one part after the other, and note how long each recovery takes."""
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        time.sleep(random.uniform(*BETWEEN_S))
        name, kind = random.choice(sorted(cluster.parts)), random.choice(("freeze", "kill"))
        part = cluster.parts[name]
        if kind == "freeze":
            process = part.process()
            os.kill(process, signal.SIGSTOP)
            time.sleep(random.uniform(*FROZEN_S))
            os.kill(process, signal.SIGCONT)
        else:
            os.kill(part.process(), signal.SIGKILL)
            part.restart()
        tally.faults[f"{kind} {name}"] += 1
        mended = time.monotonic()
        while tally.last_whole < mended and time.monotonic() < mended + SETTLE_S:
            time.sleep(0.1)
        tally.counts["not whole again"] += tally.last_whole < mended
        tally.recoveries.append((f"{kind} {name}", time.monotonic() - mended))
        print(f"{kind} {name}: whole answers again after {tally.recoveries[-1][1]:.1f} s", flush=True)


def check_archive(cluster: Cluster) -> dict[str, Any]:
    """Refresh once more without faults, and count documents that are lost, doubled or foreign."""
    deadline = time.monotonic() + SETTLE_S
    while cluster.refresh() and time.monotonic() < deadline:
        time.sleep(5)
    store = OpenSearchStore(Connection(cluster.node.url, timeout_s=60))
    ids = Counter(info.id for info in store.documents())
    texts = Counter(f"soak-{number}" for number in range(SPEECHES + 1, cluster.documents + 1))
    store.check_generations()
    store.server.close()
    return {
        "documents": len(ids),
        "lost": cluster.documents - len(ids),
        "doubled": sum(count - 1 for count in ids.values()),
        "soak_documents_missing": len(texts.keys() - {name.rpartition("/")[2] for name in ids}),
    }


def summarise(tally: Tally) -> dict[str, Any]:
    """Return the counts, percentiles of seconds, and recoveries by kind of fault."""
    recoveries: dict[str, list[float]] = {}
    for name, seconds in tally.recoveries:
        recoveries.setdefault(name, []).append(round(seconds, 1))
    p50, p95 = np.percentile(tally.seconds or [0.0], [50, 95])
    answers = {name: tally.counts[name] for name in ("whole", "degraded", "wrong", "late")}
    answers["not whole again"] = tally.counts["not whole again"]
    return {
        "answers": answers,
        "others": {name: count for name, count in sorted(tally.counts.items()) if name not in answers},
        "seconds": {"p50": round(float(p50), 2), "p95": round(float(p95), 2)},
        "faults": dict(sorted(tally.faults.items())),
        "recovery_s": dict(sorted(recoveries.items())),
    }


def main() -> None:
    """Soak a cluster of this machine."""
    parser = make_parser(__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        cluster = Cluster(Path(place))
        try:
            refresh_first(cluster)
            counted = run_soak(cluster, options.minutes, options.clients, options.seed)
        finally:
            cluster.close()
    of_run = {"minutes": options.minutes, "clients": options.clients, "seed": options.seed}
    load = {"before": round(load_before, 1), "after": round(os.getloadavg()[0], 1)}
    write("soak", record_provenance(None, []) | of_run | {"load": load} | counted)


if __name__ == "__main__":
    main()
