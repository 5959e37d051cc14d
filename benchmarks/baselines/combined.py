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

from benchmarks.baselines.runs import Floats, RunRow, Split, parser, read, run_path, split, write
from evaluation.fit import EXPONENT
from evaluation.metrics import average_precision, order
from reranker.fusion import log_softmax

Exponents = tuple[float, float]


def fused(ranker: RunRow, cutter: RunRow, exponents: Exponents) -> Floats:
    """Compute scores (n,) of the paragraphs by both: alpha * log p(span) + beta * log p(paragraph)."""
    alpha, beta = exponents
    return alpha * log_softmax(cutter.scores) + beta * log_softmax(ranker.scores)


def tuned(rankers: Sequence[RunRow], cutters: Sequence[RunRow]) -> Exponents:
    """Return the alpha and beta of the grid with the best mean average precision; of equals, the first."""

    def precision(exponents: Exponents) -> float:
        orders = (order(fused(*rows, exponents)).tolist() for rows in zip(rankers, cutters, strict=True))
        found = [average_precision(best, row.relevant) for best, row in zip(orders, rankers, strict=True)]
        return float(np.mean(found))

    return max(product(EXPONENT, EXPONENT), key=precision)


def both(given: argparse.Namespace, part: Split) -> list[list[RunRow]]:
    """Return the rows of the ranker's run and of the cutter's."""
    return [
        read(run_path(given.runs, part.name, name, given.seed), part) for name in (given.ranker, given.cutter)
    ]


def main() -> None:
    """Run the command line of the script."""
    arguments = parser(__doc__)
    arguments.add_argument("ranker", help="name of the paragraph ranker's run")
    arguments.add_argument("cutter", help="name of the span predictor's run")
    arguments.add_argument("--seed", type=int, default=7, help="of both runs")
    arguments.add_argument(
        "--tune-on", type=int, help="so many rows of dev for alpha and beta, drawn; default: as --limit"
    )
    given = arguments.parse_args()
    exponents = tuned(*both(given, split(given.data, "dev", given.tune_on or given.limit)))
    print("alpha {}, beta {}".format(*exponents))
    for name in given.split:
        found = both(given, split(given.data, name, given.limit))
        rows = [
            RunRow(ranker.pair, fused(ranker, cutter, exponents), cutter.spans)
            for ranker, cutter in zip(*found, strict=True)
        ]
        write(run_path(given.runs, name, f"combined-{given.ranker}-{given.cutter}", given.seed), rows)


if __name__ == "__main__":
    main()
