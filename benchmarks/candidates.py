"""Measure archive-wide recall of the candidates: of all transcripts, those so far, and those of 30 days.

Only the last set of stages uses the day of a draft; it is tested against the set without it. The
transcripts so far, up to the draft's day, show the worth of the day: an archive with later ones flatters
it.

    python -m benchmarks.candidates --data DATA --archive ARCHIVE

The archive is built first (the build resumes and reuses existing parts); paragraphs stay as the data set
supplies them. Rows without a transcript in their 30 days count as misses. Writes results/candidates.json.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import load_models, record_provenance, write
from benchmarks.script import compute_quantiles, make_parser
from embedded.store import EmbeddedStore
from evaluation.data import DOCUMENTS
from evaluation.fit import filter_thirty_days, filter_until_publication, is_quoted, search_candidates
from evaluation.metrics import order, run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts
from reranker.fusion import sum_weighted
from reranker.models.loaded import Models
from reranker.signals import STAGES
from rostrum_core.types import Filter
from training.data_archive import build

STAGE_SETS = {
    "lexical": ("lexical",),
    "dense": ("dense",),
    "lexical + document": ("lexical", "document"),
    "lexical + document + dense": ("lexical", "document", "dense"),
    "undated": tuple(stage for stage in STAGES if stage != "recency"),
    "all": STAGES,
}
DEPTHS = (10, 100)


def print_progress(count: int) -> None:
    """Print progress at intervals."""
    if count % 50 == 0:
        print(f"{count} documents", file=sys.stderr)


def measure_recall(
    rows: list[Pair], store: EmbeddedStore, models: Models, among: Callable[[Pair], Filter]
) -> dict[str, Any]:
    """Compute recall at 10 and 100 of each set of stages, with the fusion's weights, in percent.

    `p` compares all stages with those of a draft without a day.
    """
    hits: dict[str, dict[int, list[bool]]] = {name: {k: [] for k in DEPTHS} for name in STAGE_SETS}
    latencies = []
    for pair in rows:
        began = time.monotonic()
        candidates = search_candidates(pair, store, models, among(pair))
        latencies.append(time.monotonic() - began)
        stages = {name: candidates.columns[name] for name in STAGES} if len(candidates) else {}
        paragraphs = (
            [paragraph for paragraph, _ in candidates.read(range(len(candidates)))] if len(candidates) else []
        )
        for name, used in STAGE_SETS.items():
            weights = {s: models.fusion.candidates[s] if s in used else 0.0 for s in stages}
            ranked = order(sum_weighted(stages, weights)).tolist() if paragraphs else []
            for k in DEPTHS:
                hits[name][k].append(any(is_quoted(paragraphs[i], pair) for i in ranked[:k]))
    return {
        "recall": {
            name: {f"@{k}": round(100 * float(np.mean(by_row)), 1) for k, by_row in by_depth.items()}
            for name, by_depth in hits.items()
        },
        "p": {
            f"@{k}": run_permutation_test(
                hits["all"][k], hits["undated"][k], [pair.document for pair in rows]
            )
            for k in DEPTHS
        },
        "latency_s": compute_quantiles(latencies, "p{}", 4),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--archive", type=Path, required=True, help="folder to build the archive in")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--rows", type=int, default=500, help="the first rows that are not repeated")
    options = parser.parse_args()
    models = load_models(options.models)
    sources = [options.data / f"pairs-{options.split}.jsonl.gz", options.data / DOCUMENTS]
    built = build(sources[1], options.archive, models, print_progress)
    store = EmbeddedStore(options.archive)
    rows = read_pairs(sources[0], read_transcripts(sources[1]))[: options.rows]
    document_count, paragraph_count = store.count()
    result = {
        "split": options.split,
        "n": len(rows),
        "documents": document_count,
        "paragraphs": paragraph_count,
        "archive": {"encoded": built.encoded, "seconds": round(built.elapsed_s, 1)},
        "all": measure_recall(rows, store, models, lambda _: Filter()),
        "so far": measure_recall(rows, store, models, filter_until_publication),
        "30 days": measure_recall(rows, store, models, filter_thirty_days),
        **record_provenance(models, sources),
    }
    write("candidates", result)


if __name__ == "__main__":
    main()
