"""Measure ranking and spans within the source transcript, on dev and test, with permutation tests.

    python -m benchmarks.quality --data DATA --split dev test

Writes results/quality-dev.json and results/quality-test.json.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.provenance import load_models, record_provenance, write
from benchmarks.script import make_parser
from evaluation.judging import JudgedRow, judge_rows, name_judged_file
from evaluation.pairs import read_pairs, read_transcripts, sample_pairs
from evaluation.significance import Matrix, compute_p_values
from evaluation.tallies import (
    Cutter,
    Tally,
    compute_figures,
    measure_contributions,
    span_figures,
    tally,
)
from quotations.text.sentences import split_sentences
from reranker.models.loaded import Models

SETTINGS = ("positive", "top")


def take_paragraphs(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
    """Return the whole paragraphs."""
    return " ".join(paragraphs[i] for i in sorted(ordinals))


def make_sentence_cutter(place: int) -> Cutter:
    """Cut the sentence at this index of each paragraph: 0 for the first, -1 for the last."""

    def cut(row: JudgedRow, ordinals: Sequence[int], paragraphs: Sequence[str]) -> str:
        texts = [paragraphs[i] for i in sorted(ordinals)]
        return " ".join(text[slice(*bounds[place])] for text in texts if (bounds := split_sentences(text)))

    return cut


CUTTERS: dict[str, Cutter] = {
    "full paragraph": take_paragraphs,
    "first sentence": make_sentence_cutter(0),
    "last sentence": make_sentence_cutter(-1),
}


def span_tests(result: Tally, measure: int) -> dict[str, Matrix]:
    """Compute p of every two ways to cut spans, by setting; `measure` 0 is exact match, 1 is F1."""
    return {
        setting: compute_p_values(
            {
                name: [float(span[measure]) for span in result.spans[f"{name} {setting}"]]
                for name in ("model", *CUTTERS)
            },
            result.speeches,
        )
        for setting in SETTINGS
    }


def measure_split(
    data: Path, split: str, models: Models, first: int | None, limit: int | None, seed: int, keep: Path | None
) -> dict[str, Any]:
    """Compute all figures of one split; `keep` is the folder of judged rows."""
    began = time.monotonic()
    sources = [data / f"pairs-{split}.jsonl.gz", data / "documents.jsonl.gz"]
    documents = read_transcripts(sources[1])
    rows = sample_pairs(read_pairs(sources[0], documents)[:first], limit, seed)
    path = name_judged_file(keep, models, *sources) if keep else None
    judged = judge_rows(path, rows, documents, models, print_progress)
    result = tally(judged, documents, models.fusion, CUTTERS)
    figures = compute_figures(result)
    return {
        "split": split,
        "n": len(rows),
        "rows": {"first": first, "drawn": limit, "seed": seed},
        "paragraphs_per_draft": round(sum(len(j.dense) for j in judged) / len(judged), 1),
        "ranking": figures["ranking"],
        "spans": {
            name: {setting: span_figures(result.spans[f"{name} {setting}"]) for setting in SETTINGS}
            for name in ("model", *CUTTERS)
        },
        "error_distance": figures["error_distance"],
        "contributions": measure_contributions(judged, documents, models.fusion),
        "p_values": {
            "average_precision": figures["p_values"],
            "span_em": span_tests(result, 0),
            "span_f1": span_tests(result, 1),
            "test": "paired permutation by speech, two-sided, 10,000",
        },
        "seconds": round(time.monotonic() - began, 1),
        **record_provenance(models, sources),
    }


def print_progress(done: int, of: int) -> None:
    """Print a line of progress on a terminal."""
    if sys.stderr.isatty() or done % 200 == 0 or done == of:
        print(f"{done} of {of} drafts", file=sys.stderr)


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--split", nargs="+", default=["dev", "test"])
    parser.add_argument("--first", type=int, help="the first rows that are not repeated, instead of all")
    parser.add_argument("--limit", type=int, help="draw so many of them")
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged between runs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for split in options.split:
        models = load_models(options.models)
        figures = measure_split(
            options.data, split, models, options.first, options.limit, options.seed, options.judged
        )
        write(f"quality-{split}", figures)


if __name__ == "__main__":
    main()
