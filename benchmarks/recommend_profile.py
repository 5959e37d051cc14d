"""Profile a recommendation: BM25, vectors, SQLite, models, and the rest.

    python -m benchmarks.recommend_profile --archive ARCHIVE

Sends drafts made from the sample speeches to an archive of them, and writes results/recommend-profile.json.
Each draft is timed twice: after all that was read for earlier drafts was dropped (`first`), and in a service
that has answered other drafts before (`later`).
Times are CPU seconds of the one computing thread, so that other programs on the machine change little.
"""

from __future__ import annotations

import json
import os
import threading
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
from benchmarks.script import make_parser
from embedded import candidates as first_stage
from embedded.archive import Archive
from embedded.dense import DenseIndex
from embedded.lexical import LexicalIndex
from embedded.reader import Reader
from jobs.recommend import candidates, job, printing
from quotations.grammar.passages import read_passage
from quotations.grammar.tagging import label_words
from quotations.text.kept_words import find_names
from quotations.text.sentences import split_paragraph
from quotations.text.stems import read_stems
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft
from workers.runner.inline import InlineRunner

PARTS: dict[str, list[tuple[Any, str]]] = {
    "BM25": [
        (LexicalIndex, "search_best"),
        (LexicalIndex, "score_texts"),
        (LexicalIndex, "score_all"),
        (Reader, "score_paragraphs"),
        (LexicalIndex, "list_passing"),
        (LexicalIndex, "document_frequency"),
    ],
    "vectors": [(DenseIndex, "search_best"), (Reader, "search_nearest"), (first_stage, "_multiply")],
    "SQLite": [(Archive, "fetch")],
    "models": [(InlineRunner, "run")],
    "signals": [(candidates, name) for name in ("_compute_column", "place_candidates", "find_required")],
    "printing": [(job.Recommender, "_prepare")],
}
"""Functions counted as a part, with all that they call and that is no other part."""

OWN = ("signals", "printing", "around them")
LEFT_WORDS = 100


class Clock:
    """Count seconds of processor time by part, in all threads; time of a nested part does not count for the
    outer one. `here` counts those of the thread that made the clock.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.here: dict[str, float] = defaultdict(float)
        self._thread = threading.get_ident()
        self._nested: dict[int, float] = defaultdict(float)  # seconds counted by thread

    def wrap(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added to a part."""

        @wraps(function)
        def run_timed(*args: Any, **kwargs: Any) -> Any:
            thread = threading.get_ident()
            began, counted = time.thread_time(), self._nested[thread]
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.thread_time() - began - (self._nested[thread] - counted)
                self._nested[thread] += spent
                self.seconds[part] += spent
                if thread == self._thread:
                    self.here[part] += spent

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


def drop_texts() -> None:
    """Drop all that was read of texts."""
    read = read_stems, read_passage, find_names, split_paragraph, label_words, printing._choose_unscored
    for cached in read:
        cached.cache_clear()


def read_document(reader: Reader, document_id: str) -> Any:
    """Read a document as `Reader.get` does, without keeping it."""
    number = reader.numbering.number(document_id)
    return None if number is None else reader.archive.read_document(int(reader.numbering.keys[number]))


def measure_parts(service: Service, drafts: list[Draft], *, drop: bool) -> list[dict[str, float]]:
    """Return the milliseconds of each part for each draft; `around them` is the rest.

    With `drop`, drop what was read for earlier drafts.
    """
    rows = []
    for draft in drafts:
        if drop:
            drop_texts()
        clock = Clock()
        with clock.install():
            began = time.thread_time()
            service.recommend(draft, timeout_s=600.0)
            total = time.thread_time() - began
        parts = {part: 1000 * clock.seconds[part] for part in PARTS}
        rows.append({**parts, "around them": 1000 * (total - sum(clock.here.values()))})
    return rows


def summarise(rows: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return the median and the greatest time of each part, and of all that is our own code."""
    own = [sum(row[part] for part in OWN) for row in rows]
    columns = {part: [row[part] for row in rows] for part in rows[0]} | {"own": own}
    return {
        part: {"p50": round(float(np.median(times)), 1), "max": round(max(times), 1)}
        for part, times in columns.items()
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", type=Path, required=True, help="archive of the sample speeches")
    parser.add_argument("--drafts", type=int, default=20)
    parser.add_argument("--earlier", type=int, default=200, help="other drafts that are answered before")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    settings = read_settings({"ROSTRUM_THREADS": "1"})
    service = assemble(replace(settings, archive=options.archive))
    drafts = make_drafts(options.drafts, options.seed)
    for draft in (drafts[0], *make_drafts(options.earlier, options.seed + 1)):
        service.recommend(draft, timeout_s=600.0)  # the first one loads the models
    later = measure_parts(service, drafts, drop=False)
    setattr(Reader, "read_rows", Reader._read_rows)  # noqa: B010  keeps no paragraphs
    setattr(Reader, "get", read_document)  # noqa: B010  keeps no documents
    first = measure_parts(service, drafts, drop=True)
    documents, paragraphs = service.store.count()
    result = {
        "n": len(drafts),
        "earlier": options.earlier,
        "seed": options.seed,
        "documents": documents,
        "paragraphs": paragraphs,
        "ranked": settings.candidates,
        "load": round(os.getloadavg()[0], 1),
        "cpu_ms": {"first": summarise(first), "later": summarise(later)},
        **record_provenance(service.models, [locate_shipped("samples/speeches.jsonl")]),
    }
    write("recommend-profile", result)


if __name__ == "__main__":
    main()
