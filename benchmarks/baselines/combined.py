"""Fuse the runs of a paragraph ranker and a span predictor, with exponents tuned on dev.

    python -m benchmarks.baselines.combined paragraph-6-base shared-norm-6-base --data DATA --runs RUNS

The score is p(span)^alpha * p(paragraph)^beta, both softmaxes over all paragraphs of the transcript; alpha
and beta come from the paper's grid. The logarithm is stored. The run is called `combined-` and the names of
both, and replaces one of that name. With `--split test --tune-on N`, test may be whole if the runs of dev
have N rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product

import numpy as np

from benchmarks.baselines.runs import Floats, RunRow, Split, make_parser, read, run_path, split, write
from evaluation.fit import EXPONENT
from evaluation.metrics import average_precision, order
from reranker.fusion import log_softmax

Exponents = tuple[float, float]


def fuse(ranker: RunRow, cutter: RunRow, exponents: Exponents) -> Floats:
    """Compute scores (n,) of the paragraphs by both: alpha * log p(span) + beta * log p(paragraph)."""
    alpha, beta = exponents
    return alpha * log_softmax(cutter.scores) + beta * log_softmax(ranker.scores)


def tune(rankers: Sequence[RunRow], cutters: Sequence[RunRow]) -> Exponents:
    """Return the alpha and beta of the grid with the best mean average precision; of equals, the first."""

    def measure_precision(exponents: Exponents) -> float:
        orders = (order(fuse(*rows, exponents)).tolist() for rows in zip(rankers, cutters, strict=True))
        precisions = [
            average_precision(best, row.relevant) for best, row in zip(orders, rankers, strict=True)
        ]
        return float(np.mean(precisions))

    return max(product(EXPONENT, EXPONENT), key=measure_precision)


def read_both(options: argparse.Namespace, part: Split) -> list[list[RunRow]]:
    """Return the rows of two runs: the ranker's and the span predictor's."""
    return [
        read(run_path(options.runs, part.name, name, options.seed), part)
        for name in (options.ranker, options.cutter)
    ]


def main() -> None:
    """Run the command line of the script."""
    arguments = make_parser(__doc__)
    arguments.add_argument("ranker", help="name of the paragraph ranker's run")
    arguments.add_argument("cutter", help="name of the span predictor's run")
    arguments.add_argument("--seed", type=int, default=7, help="of both runs")
    arguments.add_argument(
        "--tune-on", type=int, help="so many rows of dev for alpha and beta, drawn; default: as --limit"
    )
    options = arguments.parse_args()
    exponents = tune(*read_both(options, split(options.data, "dev", options.tune_on or options.limit)))
    print("alpha {}, beta {}".format(*exponents))
    for name in options.split:
        runs = read_both(options, split(options.data, name, options.limit))
        rows = [
            RunRow(ranker.pair, fuse(ranker, cutter, exponents), cutter.spans)
            for ranker, cutter in zip(*runs, strict=True)
        ]
        write(run_path(options.runs, name, f"combined-{options.ranker}-{options.cutter}", options.seed), rows)


if __name__ == "__main__":
    main()
