"""Measure a whole archive on one machine: indexing, memory, disk, opening, latency, and a small change.

    python -m benchmarks.archive --speeches whitehouse/speeches.jsonl.gz --drafts quotations --work FOLDER

Runs `rostrum index` as an operator does, in its own processes:

- all speeches into an empty archive, and a part of them of about 40,000 paragraphs into another;
- drafts of quotations queried in both: candidates alone, and the whole of `recommend`;
- 1 % of the speeches, sampled by seed, with the words of each paragraph shuffled: this run is timed. The
  run that reverts the change is killed half way with SIGKILL, then run again to its end.

Existing files in FOLDER are reused, so that a run can be interrupted. Writes results/archive.json.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from archive.service import Service
from benchmarks.provenance import record_provenance, write
from benchmarks.script import ROSTRUM, compute_quantiles, make_parser
from embedded.store import EmbeddedStore
from evaluation.fit import search_candidates
from evaluation.pairs import Pair, read_pairs, read_rows, read_transcripts
from rostrum.assemble import assemble, open_models
from rostrum_core.settings import Settings, read_settings
from rostrum_core.types import Draft, Filter
from tools.owner import end_with_owner
from training.run_settings import claim

PART = 40_000  # paragraphs
SHARE = 0.01


@dataclass(frozen=True)
class Run:
    """Record one `rostrum index`: seconds, peak resident memory of the process, and its output."""

    seconds: float
    peak_rss_mb: float
    output: str


def index(speeches: Path, archive: Path, *options: str) -> Run:
    """Run the command to its end; it refuses repeated ids that differ with exit code 1."""
    began = time.monotonic()
    started = _start_index(speeches, archive, *options)
    output = started.stdout.read() if started.stdout else ""
    _, status, usage = os.wait4(started.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"rostrum index ended with {status}: {output}")
    output = output.replace(str(archive), "ARCHIVE")  # no path of this machine in a result
    return Run(round(time.monotonic() - began, 1), round(usage.ru_maxrss / 1024, 1), output)


def _start_index(speeches: Path, archive: Path, *options: str) -> subprocess.Popen[str]:
    command = [*ROSTRUM, "index", str(speeches), "--archive", str(archive), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_owner)


def write_once(path: Path, speeches: Iterator[dict[str, Any]]) -> Path:
    """Write speeches as a gzip file of JSON lines; keep an existing file."""
    if not path.exists():
        fresh = path.with_suffix(".new")
        with gzip.open(fresh, "wt", encoding="utf-8", compresslevel=1) as opened:
            opened.writelines(json.dumps(row) + "\n" for row in speeches)
        fresh.replace(path)
    return path


def select_part(speeches: Path) -> Iterator[dict[str, Any]]:
    """Yield speeches from the beginning, until they have `PART` paragraphs together."""
    count = 0
    for row in read_rows(speeches):
        if count >= PART:
            return
        count += len(row["paragraphs"])
        yield row


def change_share(speeches: Path, seed: int) -> Iterator[dict[str, Any]]:
    """Yield all speeches; in a share `SHARE` of them, shuffle the words of each paragraph."""
    drawn = Random(seed)
    ids = list(dict.fromkeys(row["id"] for row in read_rows(speeches)))
    chosen = set(drawn.sample(ids, round(SHARE * len(ids))))
    for row in read_rows(speeches):
        if row["id"] in chosen:
            row["paragraphs"] = [_shuffle(text, drawn) for text in row["paragraphs"]]
        yield row


def _shuffle(text: str, drawn: Random) -> str:
    words = text.split(" ")
    drawn.shuffle(words)
    return " ".join(words)


def find_generation(archive: Path) -> str:
    """Return the name of the published generation."""
    return next(g.name for g in EmbeddedStore(archive).generations() if g.published)


def kill_half_way(speeches: Path, archive: Path, after_s: float) -> dict[str, Any]:
    """Kill a run with SIGKILL, and check that the published generation is unchanged."""
    before = (find_generation(archive), EmbeddedStore(archive).count())
    started = _start_index(speeches, archive)
    time.sleep(after_s)
    still_running = started.poll() is None
    started.send_signal(signal.SIGKILL)
    started.wait()
    after = (find_generation(archive), EmbeddedStore(archive).count())
    return {
        "after_s": round(after_s, 1),
        "was_running": still_running,
        "published_unchanged": before == after,
    }


def time_opening(archive: Path) -> float:
    """Return the seconds from a new process to the first answer of BM25 and of the vectors, without
    imports.
    """
    code = (
        "import sys,time;from pathlib import Path;import numpy as np;"
        "from embedded.store import EmbeddedStore;from rostrum_core.ports import Query;t=time.monotonic();"
        "EmbeddedStore(Path(sys.argv[1])).search(Query('nation','nation',np.eye(1,384,dtype=np.float32)[0]));"
        "print(time.monotonic()-t)"
    )
    response = subprocess.run(
        [sys.executable, "-c", code, str(archive)], capture_output=True, text=True, check=True
    )
    return round(float(response.stdout), 3)


def measure_latencies(service: Service, drafts: Sequence[Pair]) -> dict[str, Any]:
    """Measure candidates alone and the whole answer, over drafts queried one after the other."""
    candidates, answers = [], []
    service.recommend(Draft(drafts[0].title, drafts[0].left))
    for pair in drafts:
        began = time.monotonic()
        search_candidates(pair, service.store, service.models, Filter())
        searched = time.monotonic()
        answer = service.recommend(Draft(pair.title, pair.left))
        candidates.append(searched - began)
        answers.append(time.monotonic() - searched)
        if answer.degraded:
            raise RuntimeError(f"an answer was degraded: {answer.degraded}")
    return {
        "candidates": compute_quantiles(candidates, "p{}_s", 4),
        "recommend": compute_quantiles(answers, "p{}_s", 4),
        "drafts": len(drafts),
    }


def describe_archive(archive: Path, settings: Settings, drafts: Sequence[Pair]) -> dict[str, Any]:
    """Describe an archive: its size, and its latencies."""
    documents, paragraphs = EmbeddedStore(archive).count()
    folder = archive / "generations" / find_generation(archive)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return {
        "documents": documents,
        "paragraphs": paragraphs,
        "disk_mb": round(size / 2**20, 1),
        "open_s": time_opening(archive),
        "latency": measure_latencies(assemble(replace(settings, archive=archive)), drafts),
    }


def index_once(speeches: Path, archive: Path, made_of: dict[str, Any]) -> dict[str, Any]:
    """Return the run that made an archive, from the note next to it if it was made before.

    Raises:
        BadInput: if it was made with another encoder or of other speeches than `made_of`.
    """
    note = archive.with_suffix(".json")
    claim(archive.with_suffix(".made.json"), made_of)
    if not note.exists():
        run = index(speeches, archive)
        documents, paragraphs = EmbeddedStore(archive).count()
        values = {
            "seconds": run.seconds,
            "documents_per_s": round(documents / run.seconds, 2),
            "paragraphs_per_s": round(paragraphs / run.seconds, 1),
            "peak_rss_mb": run.peak_rss_mb,
            "vectors_mb": round(paragraphs * 384 * 4 / 2**20, 1),
            "output": run.output.splitlines(),
            "load": os.getloadavg()[2],
            "commit": record_provenance(None, [])["commit"],
        }
        note.write_text(json.dumps(values), "utf-8")
    run_note: dict[str, Any] = json.loads(note.read_text("utf-8"))
    return run_note


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--speeches", type=Path, required=True, help="speeches as JSON lines, gzip")
    parser.add_argument("--drafts", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--work", type=Path, required=True, help="folder for the archives")
    parser.add_argument("--count", type=int, default=100, help="how many drafts are asked")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    settings = read_settings({**os.environ, "ROSTRUM_ARCHIVE": str(options.work)})
    engine = open_models(settings, threads=settings.threads).engine
    documents = read_transcripts(options.drafts / "documents.jsonl.gz")
    drafts = Random(options.seed).sample(
        read_pairs(options.drafts / "pairs-test.jsonl.gz", documents), options.count
    )
    whole, partial = options.work / "whole", options.work / "part"
    small = write_once(options.work / "part.jsonl.gz", select_part(options.speeches))
    models = assemble(settings).models
    sources = [options.speeches, options.drafts / "pairs-test.jsonl.gz"]
    facts = record_provenance(models, sources)
    made_of = {part: facts["models"][part] for part in ("encoder", "tokenizer", "engine")} | facts["data"]
    full = index_once(options.speeches, whole, made_of)
    index(options.speeches, whole)  # an interrupted run may have left it changed
    result = {
        "engine": f"{engine.name} {engine.precision}",
        "ranked": settings.candidates,
        "index": full,
        "index of a part": index_once(small, partial, made_of),
        "whole": describe_archive(whole, settings, drafts),
        "part": describe_archive(partial, settings, drafts),
    }
    changed_speeches = write_once(
        options.work / f"changed-{options.seed}.jsonl.gz", change_share(options.speeches, options.seed)
    )
    first = index(changed_speeches, whole)
    killed = kill_half_way(options.speeches, whole, first.seconds / 2)
    resumed = index(options.speeches, whole)
    result["one percent"] = {
        "seconds": first.seconds,
        "share_of_full_run": round(first.seconds / full["seconds"], 4),
        "peak_rss_mb": first.peak_rss_mb,
        "output": first.output.splitlines(),
        "killed": killed,
        "after_the_kill": {"seconds": resumed.seconds, "output": resumed.output.splitlines()},
    }
    write("archive", {**result, "seed": options.seed, **facts})


if __name__ == "__main__":
    main()
