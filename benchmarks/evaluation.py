"""Measure `rostrum evaluate` beyond ranking and spans: shortened drafts, or a whole archive.

    python -m benchmarks.evaluation ablations --data DATA --split dev --limit 300 --judged JUDGED
    python -m benchmarks.evaluation archive-wide --data DATA --split test --archive ARCHIVE --judged JUDGED

An interrupted run resumes from JUDGED. The archive is that of `benchmarks.candidates`. Writes
results/ablations-SPLIT.json or results/archive-wide-SPLIT.json.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.provenance import record_provenance, write
from benchmarks.quality import print_progress
from benchmarks.script import make_parser, open_service
from evaluation.evaluate import Evaluator

GROUPS = {"ablations": "ablations", "archive-wide": "archive"}


def measure_group(options: argparse.Namespace) -> dict[str, Any]:
    """Return the requested figures, with rows and provenance."""
    service = open_service(models=options.models, archive=options.archive or Path("archive"))
    sources = [options.data / f"pairs-{options.split}.jsonl.gz", options.data / "documents.jsonl.gz"]
    evaluator = Evaluator(
        sources[0],
        sources[1],
        service.models,
        limit=options.limit,
        seed=options.seed,
        keep=options.judged,
        tell=lambda what, done, of: print_progress(done, of),
    )
    is_archive_wide = options.what == "archive-wide"
    figures = evaluator.evaluate(
        service=service if is_archive_wide else None, ablated=not is_archive_wide
    ).figures
    group = GROUPS[options.what]
    return {
        "split": options.split,
        "n": figures["n"],
        "rows": {"drawn": options.limit, "seed": options.seed},
        group: figures[group],
        "seconds": figures["seconds"],
        **record_provenance(service.models, sources),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("what", choices=GROUPS)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", choices=["dev", "test"], default="dev")
    parser.add_argument("--archive", type=Path, help="folder of the archive of all transcripts")
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged between runs")
    parser.add_argument("--limit", type=int, help="draw so many rows")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "archive-wide" and options.archive is None:
        parser.error("archive-wide needs --archive")
    write(f"{options.what}-{options.split}", measure_group(options))


if __name__ == "__main__":
    main()
