"""Measure the page Write: how long quotes and verdicts take while somebody types.

    python -m benchmarks.page_answers --texts 8
    python -m benchmarks.page_answers --archive FOLDER

Starts `rostrum serve` on loopback over the sample speeches, or over an existing archive. Paragraphs of its
speeches are typed as drafts: the form is sent after every `STEP` words, one request after the other, as the
page's script sends it. Verdicts are requested for one paragraph that quotes some of its words. The processor
time is that of the service for one request. Writes results/page-answers.json.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from archive.shipped_files import locate_shipped
from benchmarks.load import SAMPLES, sample_archive, sample_drafts, start_service
from benchmarks.provenance import record_provenance, write
from benchmarks.script import compute_quantiles, make_parser, time_calls
from reranker.models.loaded import Models
from rostrum.api.page.results import TYPING_CANDIDATES
from rostrum_core.types import Draft

STEP = 6
"""Words that are typed between two requests: those of the pause after which the page asks."""

MOST_REQUESTS = 12  # of one text
TIMEOUT_S = 120.0
WARMING = 3
HEADERS = {"Accept": "text/html"}


def enter_draft(draft: Draft) -> Iterator[dict[str, str]]:
    """Yield the form as it is after every `STEP` words."""
    words = draft.left.split()
    for end in range(STEP, min(len(words), STEP * MOST_REQUESTS) + 1, STEP):
        yield {"title": draft.title, "text": " ".join(words[:end]), "part": "results"}


def quote_paragraph(draft: Draft) -> dict[str, str]:
    """Return the form of a paragraph that quotes a dozen of its words."""
    words = draft.left.split()
    text = f"{' '.join(words[:30])} “{' '.join(words[30:42])},” it says. {' '.join(words[42:60])}"
    return {"text": text, "part": "verdicts"}


def measure(
    client: httpx2.Client, forms: Sequence[dict[str, str]], read_cpu: Callable[[], float]
) -> dict[str, Any]:
    """Return the wall and processor times of the forms, sent one after the other."""
    walls, cpus = time_calls(lambda form: client.post("/", data=form).raise_for_status(), forms, read_cpu)
    times = compute_quantiles(walls, "p{}_wall_s", 3) | compute_quantiles(cpus, "p{}_cpu_s", 3)
    return {"requests": len(forms), **times}


def run(url: str, texts: int, seed: int, read_cpu: Callable[[], float]) -> dict[str, Any]:
    """Measure a service at an address; `read_cpu` returns the processor seconds it has used."""
    chosen = sample_drafts(url, seed)[: texts + WARMING]
    with httpx2.Client(base_url=url, timeout=TIMEOUT_S, headers=HEADERS) as client:
        for draft in chosen[:WARMING]:
            client.post("/", data=next(enter_draft(draft))).raise_for_status()
        typed = [form for draft in chosen[WARMING:] for form in enter_draft(draft)]
        quoted = [quote_paragraph(draft) for draft in chosen[WARMING:]]
        figures = {"typing": measure(client, typed, read_cpu), "paragraph": measure(client, quoted, read_cpu)}
    return {**figures, "texts": len(chosen) - WARMING, "seed": seed}


def read_process_cpu(pid: int) -> float:
    """Return the processor seconds of a process. Source: proc(5), fields 14 and 15 of stat."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--texts", type=int, default=8)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--name", default="page-answers", help="of the result")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or sample_archive(Path(folder))
        with start_service(archive, 1) as process:
            figures = run(
                process.url, options.texts, options.seed, partial(read_process_cpu, process.process.pid)
            )
    loads = {"before": round(load_before, 1), "after": round(os.getloadavg()[0], 1)}
    data = [] if options.archive else [locate_shipped(SAMPLES)]
    facts = {"ranked": TYPING_CANDIDATES, "machine_load": loads}
    write(options.name, {**facts, **figures, **record_provenance(Models(locate_shipped("models")), data)})


if __name__ == "__main__":
    main()
