"""Measure the first stage over archives in folders: its time, and its recall against exhaustive search.

    python -m benchmarks.first_stage --data DATA --archives ARCHIVE... [--ranked 30]

Drafts of test are asked by turns over the archives, after others that warm the service; the first `--ranked`
of them are asked for whole answers too. Collections of garbage leave out what is loaded, as in `rostrum
serve`. Exhaustive search scores every paragraph by the draft's vector, and by its BM25 query. Processor time
is that of the asking thread in the stage. Writes results/first-stage.json.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archive.service import Service
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser, open_service
from embedded.reader import Reader
from evaluation.data import DOCUMENTS
from evaluation.fit import search_candidates
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from jobs.recommend.queries import build_paragraph_query, prune_query
from rostrum_core.types import Draft, Filter

BEST = 100
QUANTILES = (0.5, 0.95)


@dataclass
class Clock:
    """Count the processor time of this thread by stage, in seconds."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time_stage(self, name: str) -> Iterator[None]:
        """Time the code within."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.seconds[name] = time.thread_time() - began


def ask(service: Service, draft: Draft, *, ranked: bool) -> dict[str, float]:
    """Answer a draft; return the milliseconds of its candidates, or of the whole answer if it is `ranked`."""
    clock, began, cpu = Clock(), time.monotonic(), time.process_time()
    answer = service.recommend(draft, ranked=ranked, around=clock.time_stage, timeout_s=600.0)
    if ranked:
        return {
            "answer": 1000 * (time.monotonic() - began),
            "answer cpu": 1000 * (time.process_time() - cpu),
        }
    return {
        "candidates": 1000 * answer.timings_s["candidates"],
        "candidates cpu": 1000 * clock.seconds["candidates"],
    }


def measure_recall(service: Service, reader: Reader, pair: Pair) -> dict[str, float]:
    """Return which share of the exhaustive best by a signal are candidates, in percent."""
    candidates = search_candidates(pair, service.store, service.models, Filter())
    owners = [candidates.documents[owner] for owner in candidates.owners.tolist()]
    chosen = set(zip(owners, candidates.ordinals.tolist(), strict=True))
    shares = {}
    for name, scores in _score_all(service, reader, pair).items():
        best = np.argsort(-scores, kind="stable")[:BEST]
        documents = [reader.numbering.ids[number] for number in reader.numbering.map_documents(best)]
        places = zip(documents, reader.numbering.map_ordinals(best).tolist(), strict=True)
        shares[f"recall {name}"] = 100 * float(np.mean([place in chosen for place in places]))
    return shares


def _score_all(service: Service, reader: Reader, pair: Pair) -> dict[str, NDArray[np.float64]]:
    """Return the scores of all paragraphs by number; BM25 of one without a word of the draft is NaN."""
    if reader.vectors is None:
        raise ValueError("the archive has no columns: index it again")
    query = service.models.wordpieces.tokenise_query(pair.title, pair.left)
    products = reader.vectors @ service.models.encoder.encode_query(query)
    words = prune_query(build_paragraph_query(pair.draft), service.store)
    return {"vectors": products.astype(np.float64), "BM25": reader.paragraphs.score_all(words)}


def measure(services: Mapping[str, Service], pairs: Sequence[Pair], warm: int, ranked: int) -> list[Any]:
    """Return a row for each archive, asked by turns."""
    for pair in pairs[:warm]:
        for service in services.values():
            ask(service, pair.draft, ranked=False)
    for service in services.values():
        ask(service, pairs[0].draft, ranked=ranked > 0)
    gc.collect()
    gc.freeze()
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in services}
    for number, pair in enumerate(pairs[warm:]):
        for name, service in services.items():
            row = ask(service, pair.draft, ranked=False)
            rows[name].append(row | (ask(service, pair.draft, ranked=True) if number < ranked else {}))
    for name, service in services.items():
        reader = _open_reader(service)
        for row, pair in zip(rows[name], pairs[warm:], strict=True):
            row.update(measure_recall(service, reader, pair))
    return [summarise(services[name], of_archive) for name, of_archive in rows.items()]


def _open_reader(service: Service) -> Reader:
    published = service.store.published()
    if published is None:
        raise ValueError("nothing is published in the archive")
    return Reader(published.name, service.settings.archive / "generations" / published.name)


def summarise(service: Service, rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return the size of an archive, quantiles of its times in milliseconds, and mean recalls in percent."""
    documents, paragraphs = service.store.count()
    columns = {name: [row[name] for row in rows if name in row] for name in rows[0]}
    return {
        "documents": documents,
        "paragraphs": paragraphs,
        **{
            name: round(float(np.mean(values)), 1)
            if name.startswith("recall")
            else [round(float(value), 1) for value in np.quantile(values, QUANTILES)]
            for name, values in columns.items()
        },
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--archives", type=Path, nargs="+", required=True, help="archives in folders")
    parser.add_argument("--drafts", type=int, default=100)
    parser.add_argument("--warm", type=int, default=100, help="other drafts that are asked before")
    parser.add_argument("--ranked", type=int, default=30, help="drafts that are asked for whole answers")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    services = {str(path): open_service(archive=path, timeout_s=600.0) for path in options.archives}
    sources = [options.data / "pairs-test.jsonl.gz", options.data / DOCUMENTS]
    pairs = read_pairs(sources[0], read_transcripts(sources[1]))
    drawn = sample_pairs(pairs, options.warm + options.drafts, options.seed)
    load_before = round(os.getloadavg()[0], 1)
    result = {
        "drafts": options.drafts,
        "warm": options.warm,
        "ranked": options.ranked,
        "seed": options.seed,
        "rows": measure(services, drawn, options.warm, options.ranked),
        "load": [load_before, round(os.getloadavg()[0], 1)],
        **record_provenance(next(iter(services.values())).models, sources),
    }
    write("first-stage", result)


if __name__ == "__main__":
    main()
