"""Replace the product's ranker by a paragraph ranker's run, with the same first stage and merge.

    python -m benchmarks.baselines.merged paragraph-6-encoder --data DATA --runs RUNS --judged JUDGED

It separates the share of the ranker in a ranking from that of the merge. The fusion is refitted on the
run's rows of dev. For comparison, fit the product's own ranker, named `ours`, on as many (`--tune-on`). The
run is called `merged-` and the name. `JUDGED` is the folder of judged rows of `benchmarks.quality`.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.baselines.runs import RunRow, Split, list_sources, make_parser, read, run_path, split, write
from benchmarks.provenance import load_models
from evaluation.fit import fit_within, make_row
from evaluation.judging import JudgedRow, judge_rows, name_judged_file
from evaluation.systems import merge_scores
from reranker.models.loaded import Models

OURS = "ours"


def list_ranked(options: argparse.Namespace, part: Split, models: Models) -> list[JudgedRow]:
    """Return the judged rows with the scores of the named ranker, which cuts no spans."""
    path = name_judged_file(options.judged, models, *list_sources(options.data, part))
    judged = judge_rows(path, part.pairs, part.documents, models)
    if options.ranker == OURS:
        return judged
    run = read(run_path(options.runs, part.name, options.ranker, options.seed), part)
    return [
        replace(row, model=ranked.scores, span=np.zeros_like(row.span))
        for row, ranked in zip(judged, run, strict=True)
    ]


def main() -> None:
    """Run the command line of the script."""
    arguments = make_parser(__doc__)
    arguments.add_argument("ranker", help=f"name of the ranker's run, or {OURS}")
    arguments.add_argument("--seed", type=int, default=7, help="of the run")
    arguments.add_argument("--models", type=Path, default=Path("models"))
    arguments.add_argument("--judged", type=Path, required=True, help="folder that keeps what was judged")
    arguments.add_argument(
        "--tune-on", type=int, help="so many rows of dev for the fusion; default: as --limit"
    )
    options = arguments.parse_args()
    models = load_models(options.models)
    dev = split(options.data, "dev", options.tune_on or options.limit)
    texts = {name: transcript.paragraphs for name, transcript in dev.documents.items()}
    weights = fit_within(
        [make_row(row, texts[row.pair.document]) for row in list_ranked(options, dev, models)]
    )
    print(weights)
    for name in options.split:
        part = split(options.data, name, options.limit)
        run = [
            RunRow(row.pair, merge_scores(row, texts[row.pair.document], weights))
            for row in list_ranked(options, part, models)
        ]
        write(run_path(options.runs, name, f"merged-{options.ranker}", options.seed), run)


if __name__ == "__main__":
    main()
