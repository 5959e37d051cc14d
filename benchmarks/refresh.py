"""Measure the cost of a bulk refresh into OpenSearch, and of a small change of its speeches.

    python -m benchmarks.refresh --encoders 2
    python -m benchmarks.refresh --data whitehouse/speeches.jsonl.gz --documents 400

A refresh worker and encode workers run as processes over an OpenSearch (TEST_OPENSEARCH_URL, or a node of
this run) and their own Redis. The first job loads all speeches into an empty archive. For the second, 1 %
of them, sampled by seed, have the words of their paragraphs shuffled, so that each of these paragraphs is
encoded again. The sample archive is read unless `--data` names another. Writes results/refresh.json.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.pairs import read_rows
from opensearch import Connection, OpenSearchStore
from reranker.models.loaded import Models
from rostrum_core.refresh_jobs import ENDED, RefreshRequest, Report
from tools.opensearch_node import Node, find_memory_folder
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers.app import make_app
from workers.background.jobs import Jobs

SHARE, SEED = 0.01, 1863
PREFIX = "benchmark-"


def read_speeches(path: Path, most: int | None) -> list[dict[str, Any]]:
    """Return the first speeches of a file of JSON lines; a repeated id is used once."""
    return list({row["id"]: row for row in islice(read_rows(path), most)}.values())


def change_share(speeches: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Return the speeches, a share of them with the words of each paragraph shuffled, and the number of
    these.
    """
    chance = Random(SEED)
    drawn = set(chance.sample(range(len(speeches)), max(1, round(len(speeches) * SHARE))))
    return [_shuffle(row, chance) if i in drawn else row for i, row in enumerate(speeches)], len(drawn)


def _shuffle(row: dict[str, Any], chance: Random) -> dict[str, Any]:
    words = [paragraph.split() for paragraph in row["paragraphs"]]
    return row | {"paragraphs": [" ".join(chance.sample(text, len(text))) for text in words]}


def run_refresh(jobs: Jobs, file: Path, speeches: list[dict[str, Any]]) -> Report:
    """Run a job over these speeches; return its report.

    Raises:
        RuntimeError: if it failed.
    """
    file.write_text("".join(json.dumps(row) + "\n" for row in speeches), "utf-8")
    job = jobs.submit(RefreshRequest())
    while job.state not in ENDED:
        time.sleep(0.2)
        job = jobs.find(job.id)
    if job.outcome is None:
        raise RuntimeError(f"the refresh ended {job.state}: {job.error}")
    return job.outcome.report


def summarise(report: Report) -> dict[str, Any]:
    """Return counts, seconds and rates of a refresh."""
    written = report.added + report.replaced
    return {
        "documents": written,
        "paragraphs": report.paragraphs,
        "encoded": report.encoded,
        "refused": report.refused,
        "seconds": round(report.elapsed_s, 1),
        "documents_per_s": round(written / report.elapsed_s, 2),
        "paragraphs_per_s": round(report.paragraphs / report.elapsed_s, 1),
    }


def start_opensearch(stack: ExitStack) -> str:
    """Return the address of the existing node, or of one for this run."""
    if "TEST_OPENSEARCH_URL" in os.environ:
        return os.environ["TEST_OPENSEARCH_URL"]
    node = Node(scratch=find_memory_folder())
    stack.callback(node.stop)
    return node.url


def start_workers(stack: ExitStack, folder: Path, sources: Path, url: str, encoders: int) -> Jobs:
    """Start one refresh worker and `encoders` that encode, all warm; they end with the stack."""
    server = RedisServer()
    stack.callback(server.close)
    names = {"url": url, "prefix": PREFIX, "engine": "exact", "timeout_s": "60"}
    settings = {f"opensearch_{name}": value for name, value in names.items()}
    settings |= {
        "sources": str(sources),
        "archive": str(folder / "archive"),
        "models": str(locate_shipped("models")),
    }
    queues = ["refresh", *["encode"] * encoders]
    for number, queue in enumerate(queues):
        worker = WorkerProcess(server.url, folder / f"log-{number}", "--queues", queue, settings=settings)
        stack.callback(worker.kill)
        worker.wait_ready()
    return Jobs(make_app(server.url))


def measure_refreshes(speeches: list[dict[str, Any]], encoders: int) -> dict[str, Any]:
    """Measure the whole and the change; remove the archive afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sources = folder / "sources"
        sources.mkdir()
        store = OpenSearchStore(Connection(start_opensearch(stack), prefix=PREFIX, timeout_s=60))
        url = store.server.connection.url
        stack.callback(store.server.call, "DELETE", f"/{PREFIX}*", expand_wildcards="all")
        jobs = start_workers(stack, folder, sources, url, encoders)
        whole = run_refresh(jobs, sources / "speeches.jsonl", speeches)
        others, drawn = change_share(speeches)
        change = run_refresh(jobs, sources / "speeches.jsonl", others)
    share = round(change.elapsed_s / whole.elapsed_s, 4)
    return {
        "encoders": encoders,
        "whole": summarise(whole),
        "change": {"drawn": drawn, "seed": SEED, "cost_share": share, **summarise(change)},
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, default=locate_shipped("samples/speeches.jsonl"))
    parser.add_argument("--documents", type=int, help="the first so many only")
    parser.add_argument("--encoders", type=int, default=os.cpu_count() or 1, help="of one thread each")
    options = parser.parse_args()
    load = {"before": os.getloadavg()[0]}
    result = measure_refreshes(read_speeches(options.data, options.documents), options.encoders)
    load["after"] = os.getloadavg()[0]
    facts = record_provenance(Models(locate_shipped("models")), [options.data])
    write("refresh", {**result, "engine": "exact", "load": load, **facts})


if __name__ == "__main__":
    main()
