"""Time `POST /v1/famous` and the job itself over a list of 10,000 quotes.

    python -m benchmarks.famous_times --contexts kjv-contexts.jsonl.gz --quotes kjv-verses.jsonl.gz

The list has the verses of --quotes, filled up to 10,000 with texts of contexts. It has two authors, so that
every score is computed. Vectors are random, because times do not depend on them. The gaps are contexts with
both sides. Writes `results/famous-times.json`: wall time and processor time, because wall time also depends
on other work on the machine.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from fastapi.testclient import TestClient

from benchmarks.provenance import record_provenance, write
from benchmarks.script import compute_quantiles, make_parser, time_calls
from jobs.famous.encoding import Vectors
from jobs.famous.list_file import write_list
from jobs.famous.quote_list import QuoteList
from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum_core.famous_quotes import FamousQuote
from rostrum_core.settings import read_settings
from training.job_data import read_rows

QUOTES, WARM = 10_000, 10
AUTHORS, WIDTH, SEED = ("Luke", "Paul"), 384, 7


def time_requests(client: TestClient, forms: list[dict[str, Any]]) -> dict[str, float]:
    """Return quantiles of the milliseconds that requests take, one after the other."""
    walls, cpus = time_calls(lambda form: client.post("/v1/famous", json=form).raise_for_status(), forms)
    in_clock = compute_quantiles(walls[WARM:], "wall p{} ms", 1, of_s=1000)
    return in_clock | compute_quantiles(cpus[WARM:], "processor p{} ms", 1, of_s=1000)


def draw_list(texts: list[str]) -> QuoteList:
    """Return the texts as quotes of two authors, with random vectors."""
    quotes = tuple(FamousQuote(str(at), text, AUTHORS[at % 2]) for at, text in enumerate(texts))
    drawn = np.random.default_rng(SEED).standard_normal((2, len(texts), WIDTH)).astype(np.float32)
    own, general = drawn / np.linalg.norm(drawn, axis=2, keepdims=True)
    return QuoteList("verses", quotes, Vectors(own, general))


def main() -> None:
    """Read the command line, index the list, and write the times."""
    parser = make_parser(__doc__)
    parser.add_argument("--contexts", type=Path, required=True)
    parser.add_argument("--quotes", type=Path, required=True)
    parser.add_argument("--requests", type=int, default=300)
    options = parser.parse_args()
    rows = read_rows(options.contexts)
    texts = [row["text"] for row in read_rows(options.quotes)][:QUOTES]
    texts += [row["right"] or row["left"] for row in rows[: QUOTES - len(texts)]]
    chosen = rows[:: len(rows) // (options.requests + WARM)][: options.requests + WARM]
    forms = [{"left": row["left"], "right": row["right"], "list": "verses", "limit": 10} for row in chosen]
    with TemporaryDirectory() as folder:
        service = assemble(replace(read_settings({}), archive=Path(folder)))
        write_list(Path(folder) / "named" / "verses", draw_list(texts), service.lists.encoder.hashes)
        with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
            times = time_requests(client, forms)
    load = [round(value, 2) for value in os.getloadavg()]
    result = {"quotes": len(texts), "requests": options.requests, "load": load} | times
    print(result)
    write("famous-times", result | record_provenance(None, [options.contexts, options.quotes]))


if __name__ == "__main__":
    main()
