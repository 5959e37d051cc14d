"""Fit the estimate of printability, and measure the order of answers that it changes.

    python -m benchmarks.print_order fit
    python -m benchmarks.print_order rank --data DATA --archive ARCHIVE --rows rows.jsonl [--split dev]

`fit` reads the judged spans of `judged/prints.jsonl`, and prints the weights for
`quotations/printing/printability.py`. Each sheet is held out in turn for the figures.

`rank` asks drafts within their source and orders the ranked paragraphs with and without the estimate. ARCHIVE
must hold the transcripts (`benchmarks.candidates` builds it). Writes results/print-order-SPLIT.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archive.service import Service
from benchmarks.printability import PRINTS, Row, read_span
from benchmarks.printed_spans import compare
from benchmarks.provenance import record_provenance, write
from benchmarks.query_kinds import fit_logistic, measure_auc
from benchmarks.script import make_parser, open_service
from evaluation.archive_wide import find_quoted
from evaluation.data import DOCUMENTS
from evaluation.pairs import Pair, read_pairs, read_rows, read_transcripts, sample_pairs
from jobs.recommend.print_order import UNPRINTABLE_COST, estimate_worth
from quotations.printing.print_rules import find_flaws
from quotations.printing.printability import read_features
from quotations.text.transcript import Transcript
from rostrum_core.types import Filter, Recommendation

Floats = NDArray[np.float64]
DEPTH = 20  # paragraphs of an answer that are ordered again
COSTS = (0.0, 2.0, UNPRINTABLE_COST, 5.0, 8.0)
FIFTHS = 5


def read_judged(rows: Sequence[Row]) -> tuple[list[str], Floats, Floats, NDArray[np.str_]]:
    """Return the names of the features, their values (rows, features), 1 for each printable row, and its
    sheet.
    """
    features = []
    for row in rows:
        start, end = row["offered"]
        span = replace(read_span(row), start_char=start, end_char=end)
        features.append(read_features(span, find_flaws(span)))
    values = np.array([list(row.values()) for row in features])
    labels = np.array([row["verdict"] == "P" for row in rows], np.float64)
    return list(features[0]), values, labels, np.array([row["part"] for row in rows])


def estimate(features: Floats, weights: Floats) -> Floats:
    """Return the probabilities of rows by the weights of a logistic regression, the intercept last."""
    probabilities: Floats = 1 / (1 + np.exp(-features @ weights[:-1] - weights[-1]))
    return probabilities


def fit_estimate(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the weights, and what they are worth for sheets that they were not fitted on."""
    names, features, labels, sheets = read_judged(rows)
    even, held_out = np.ones(len(rows)), np.zeros(len(rows))
    for sheet in np.unique(sheets):
        other = sheets != sheet
        weights = fit_logistic(features[other], labels[other], even[other])
        held_out[~other] = estimate(features[~other], weights)
    weights = fit_logistic(features, labels, even)
    fifths = np.array_split(np.argsort(held_out, kind="stable"), FIFTHS)
    return {
        "n": len(rows),
        "printable": round(float(labels.mean()), 3),
        "auc": round(measure_auc(held_out, labels), 3),
        "auc_by_sheet": {
            str(sheet): round(measure_auc(held_out[sheets == sheet], labels[sheets == sheet]), 3)
            for sheet in dict.fromkeys(sheets.tolist())
        },
        "fifths": [
            {"estimated": round(float(held_out[f].mean()), 3), "printable": round(float(labels[f].mean()), 3)}
            for f in fifths
        ],
        "weights": dict(zip((*names, "intercept"), weights.round(3).tolist(), strict=True)),
    }


def ask_within(pairs: Sequence[Pair], service: Service, documents: Mapping[str, Transcript]) -> Iterator[Row]:
    """Yield for each draft the ranked paragraphs of its source: whether quoted, `final`,
    printability, and worth.
    """
    for pair in pairs:
        stored = service.store.get(pair.document)
        assert stored is not None
        quoted = find_quoted(pair, documents[pair.document], stored[1])
        answer = service.recommend(
            replace(pair.draft, written_on=None),
            filter=Filter(documents=(pair.document,)),
            limit=DEPTH,
            timeout_s=600.0,
        )
        ranked = [
            (one.paragraph.id in quoted, one.scores["final"], one.spans[0].printability, _read_worth(one))
            for one in answer.recommendations
        ]
        yield {"id": pair.fingerprint, "speech": pair.document, "quoted": len(quoted), "ranked": ranked}


def _read_worth(recommendation: Recommendation) -> float:
    assert recommendation.cut is not None
    return estimate_worth(recommendation.spans[0], recommendation.cut)


def measure_order(row: Row, cost: float) -> dict[str, float]:
    """Return average precision, whether a quoted paragraph is first, and how printable the first are."""
    ranked = sorted(row["ranked"], key=lambda one: -(one[1] - cost * (1 - one[3])))
    hits = np.array([one[0] for one in ranked], np.float64)
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return {
        "map": float((precision * hits).sum() / max(1, row["quoted"])),
        "first": float(hits[0]),
        "printable_first": ranked[0][2],
        "printable_first_three": float(np.mean([one[2] for one in ranked[:3]])),
    }


def compare_orders(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the means of `measure_order` for each cost, and the paired test of the shipped one against 0."""
    orders = {cost: [measure_order(row, cost) for row in rows] for cost in COSTS}
    speeches = [row["speech"] for row in rows]
    measures = list(orders[0.0][0])
    return {
        "n": len(rows),
        "speeches": len(set(speeches)),
        "depth": DEPTH,
        "shipped": UNPRINTABLE_COST,
        "costs": [
            {"cost": cost}
            | {name: round(100 * float(np.mean([one[name] for one in order])), 1) for name in measures}
            for cost, order in orders.items()
        ],
        "map": compare(
            [one["map"] for one in orders[UNPRINTABLE_COST]], [one["map"] for one in orders[0.0]], speeches
        ),
    }


def _run_fit(options: argparse.Namespace) -> None:
    write("printability-estimate", fit_estimate(list(read_rows(PRINTS))) | record_provenance(None, [PRINTS]))


def _run_rank(options: argparse.Namespace) -> None:
    service = open_service(archive=options.archive)
    sources = [options.data / f"pairs-{options.split}.jsonl.gz", options.data / DOCUMENTS]
    if not options.rows.exists():
        documents = read_transcripts(sources[1])
        pairs = sample_pairs(read_pairs(sources[0], documents), options.limit, options.seed)
        lines = [json.dumps(row) for row in ask_within(pairs, service, documents)]
        options.rows.write_text("\n".join(lines), "utf-8")
    rows = [json.loads(line) for line in options.rows.read_text("utf-8").splitlines()]
    result = {"split": options.split, "seed": options.seed, **compare_orders(rows)}
    write(f"print-order-{options.split}", result | record_provenance(service.models, sources))


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    steps = parser.add_subparsers(required=True)
    steps.add_parser("fit").set_defaults(run=_run_fit)
    rank = steps.add_parser("rank")
    rank.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    rank.add_argument("--archive", type=Path, required=True, help="archive of the transcripts")
    rank.add_argument("--rows", type=Path, required=True, help="file that keeps the answers between runs")
    rank.add_argument("--split", choices=("dev", "test"), default="dev")
    rank.add_argument("--limit", type=int, default=500)
    rank.add_argument("--seed", type=int, default=1)
    rank.set_defaults(run=_run_rank)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
