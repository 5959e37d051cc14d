"""Profile a recommendation: BM25, vectors, SQLite, models, and the rest.

    python -m benchmarks.recommend_profile --archive ARCHIVE

Sends drafts made from the sample speeches to an archive of them, and writes results/recommend-profile.json.
What was read of texts for an earlier draft is dropped before each one.
Times are CPU seconds of the one computing thread, so that other programs on the machine change little.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from embedded import candidates as first_stage
from embedded.archive import Archive
from embedded.dense import DenseIndex
from embedded.lexical import LexicalIndex
from jobs.recommend import candidates, job
from quotations.passages import read_passage
from reranker.signals.stems import read_stems
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft
from workers.runner.inline import InlineRunner

PARTS: dict[str, list[tuple[Any, str]]] = {
    "BM25": [
        (LexicalIndex, "search_best"),
        (LexicalIndex, "score_texts"),
        (LexicalIndex, "list_passing"),
        (LexicalIndex, "document_frequency"),
    ],
    "vectors": [(DenseIndex, "search_best"), (first_stage, "_multiply")],
    "SQLite": [(Archive, "fetch")],
    "models": [(InlineRunner, "run")],
    "signals": [(candidates, name) for name in ("_compute_column", "place_candidates", "find_required")],
    "printing": [(job, "prepare_all")],
}
"""Functions counted as a part, with all that they call and that is no other part."""

LEFT_WORDS = 100


class Clock:
    """Count seconds by part; time of a nested part does not count for the outer one."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._counted = 0.0

    def wrap(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added to a part."""

        @wraps(function)
        def run_timed(*args: Any, **kwargs: Any) -> Any:
            began, counted = time.thread_time(), self._counted
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.thread_time() - began - (self._counted - counted)
                self.seconds[part] += spent
                self._counted += spent

        return run_timed

    @contextmanager
    def install(self) -> Iterator[None]:
        """Time the parts within a block."""
        before = [
            (owner, name, getattr(owner, name)) for functions in PARTS.values() for owner, name in functions
        ]
        for part, functions in PARTS.items():
            for owner, name in functions:
                setattr(owner, name, self.wrap(part, getattr(owner, name)))
        try:
            yield
        finally:
            for owner, name, function in before:
                setattr(owner, name, function)


def make_drafts(count: int, seed: int) -> list[Draft]:
    """Return drafts of the sample speeches: a title, and the text before one of their paragraphs."""
    speeches = [
        json.loads(line) for line in locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines()
    ]
    drawn = Random(seed)
    drafts = []
    for speech in drawn.choices(speeches, k=count):
        place = drawn.randrange(1, len(speech["paragraphs"]))
        left = " ".join(speech["paragraphs"][:place]).split()[-LEFT_WORDS:]
        drafts.append(Draft(speech["title"], " ".join(left)))
    return drafts


def measure_parts(service: Service, drafts: list[Draft]) -> list[dict[str, float]]:
    """Return the milliseconds of each part for each draft; `around them` is the rest."""
    service.recommend(drafts[0], timeout_s=600.0)  # opens the archive and loads the models
    rows = []
    for draft in drafts:
        read_stems.cache_clear()
        read_passage.cache_clear()
        clock = Clock()
        with clock.install():
            began = time.thread_time()
            service.recommend(draft, timeout_s=600.0)
            total = time.thread_time() - began
        parts = {part: 1000 * clock.seconds[part] for part in PARTS}
        rows.append({**parts, "around them": 1000 * total - sum(parts.values())})
    return rows


def main() -> None:
    """Run the command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, required=True, help="archive of the sample speeches")
    parser.add_argument("--drafts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    settings = read_settings({"ROSTRUM_THREADS": "1"})
    service = assemble(replace(settings, archive=options.archive))
    rows = measure_parts(service, make_drafts(options.drafts, options.seed))
    documents, paragraphs = service.store.count()
    result = {
        "n": len(rows),
        "seed": options.seed,
        "documents": documents,
        "paragraphs": paragraphs,
        "ranked": settings.candidates,
        "load": round(os.getloadavg()[0], 1),
        "cpu_ms": {
            part: {
                "p50": round(float(np.median([row[part] for row in rows])), 1),
                "max": round(max(row[part] for row in rows), 1),
            }
            for part in rows[0]
        },
        **record_provenance(service.models, [locate_shipped("samples/speeches.jsonl")]),
    }
    write("recommend-profile", result)


if __name__ == "__main__":
    main()
