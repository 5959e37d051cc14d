"""Measure `rostrum evaluate` beyond ranking and spans: shortened drafts, or a whole archive.

    python -m benchmarks.evaluation ablations --data DATA --split dev --limit 300 --judged JUDGED
    python -m benchmarks.evaluation archive-wide --data DATA --split test --archive ARCHIVE --judged JUDGED

An interrupted run resumes from JUDGED. The archive is that of `benchmarks.candidates`. Writes
results/ablations-SPLIT.json or results/archive-wide-SPLIT.json.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.provenance import provenance, write
from benchmarks.quality import tell
from evaluation.evaluate import Evaluator
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings

GROUPS = {"ablations": "ablations", "archive-wide": "archive"}


def measured(given: argparse.Namespace) -> dict[str, Any]:
    """Return the requested figures, with rows and provenance."""
    settings = replace(
        read_settings(dict(os.environ)), models=given.models, archive=given.archive or Path("archive")
    )
    service = assemble(settings)
    sources = [given.data / f"pairs-{given.split}.jsonl.gz", given.data / "documents.jsonl.gz"]
    evaluator = Evaluator(
        sources[0],
        sources[1],
        service.models,
        limit=given.limit,
        seed=given.seed,
        keep=given.judged,
        tell=lambda what, done, of: tell(done, of),
    )
    asked = given.what == "archive-wide"
    found = evaluator.evaluate(service=service if asked else None, ablated=not asked).figures
    group = GROUPS[given.what]
    return {
        "split": given.split,
        "n": found["n"],
        "rows": {"drawn": given.limit, "seed": given.seed},
        group: found[group],
        "seconds": found["seconds"],
        **provenance(service.models, sources),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=GROUPS)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", choices=["dev", "test"], default="dev")
    parser.add_argument("--archive", type=Path, help="folder of the archive of all transcripts")
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged between runs")
    parser.add_argument("--limit", type=int, help="draw so many rows")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "archive-wide" and given.archive is None:
        parser.error("archive-wide needs --archive")
    write(f"{given.what}-{given.split}", measured(given))


if __name__ == "__main__":
    main()
