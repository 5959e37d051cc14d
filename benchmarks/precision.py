"""Compare the quality of the engine's precisions with float32's, row by row.

    python -m benchmarks.precision --pairs pairs-dev.jsonl.gz --documents documents.jsonl.gz --keep FOLDER

Every paragraph of a draft's transcript is ranked, as in `rostrum evaluate`. A precision passes if mean
average precision and the spans' exact matches and F1 are at least `LEAST_SHARE` of float32's. Rows in
FOLDER are reused, so that a run can be interrupted. Writes results/precision.json.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.gate import RowValues, measure
from evaluation.judging import judge_rows, name_judged_file
from evaluation.metrics import run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from quotations.text.transcript import Transcript
from reranker.models.engines import Engine
from reranker.models.loaded import Models

REFERENCE = Engine("openvino", "float32")
LEAST_SHARE = 0.995
MEASURES = {"map": "as_it_is", "span_em": "span_em", "span_f1": "span_f1"}


def judge_by(
    models: Models, rows: list[Pair], documents: dict[str, Transcript], keep: Path, sources: list[Path]
) -> tuple[RowValues, float]:
    """Measure the rows by these models; return the processor's seconds too."""
    path = name_judged_file(keep, models, *sources)
    began = time.process_time()
    judged = judge_rows(path, rows, documents, models, lambda done, of: print(done, of, end="\r"))
    return measure(judged, documents, models.fusion), time.process_time() - began


def compare(
    candidate: NDArray[np.float64], reference: NDArray[np.float64], speeches: list[str]
) -> dict[str, Any]:
    """Compare the values of two precisions, row by row; those of one speech depend on each other."""
    share = float(candidate.mean() / reference.mean())
    return {
        "percent": round(100 * float(candidate.mean()), 3),
        "float32_percent": round(100 * float(reference.mean()), 3),
        "share": round(share, 5),
        "rows_that_differ": int((candidate != reference).sum()),
        "p_value": round(run_permutation_test(candidate.tolist(), reference.tolist(), speeches), 4),
        "passed": share >= LEAST_SHARE,
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--keep", type=Path, required=True, help="folder of judged rows")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--precisions", nargs="+", default=["bfloat16", "int8"])
    parser.add_argument("--most-paragraphs", type=int, help="leave out rows of longer transcripts")
    parser.add_argument("--limit", type=int, help="rows drawn by the seed; default all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    documents = read_transcripts(options.documents)
    most = options.most_paragraphs
    every = read_pairs(options.pairs, documents)
    short = [row for row in every if most is None or len(documents[row.document].paragraphs) <= most]
    rows = sample_pairs(short, options.limit, options.seed)
    speeches = [row.document for row in rows]
    sources = [options.pairs, options.documents]
    engines = {"float32": REFERENCE} | {name: Engine("openvino", name) for name in options.precisions}
    runs = {
        name: judge_by(Models(options.models, engine), rows, documents, options.keep, sources)
        for name, engine in engines.items()
    }
    reference = runs["float32"][0]
    result = {
        "n": len(rows),
        "speeches": len(set(speeches)),
        "most_paragraphs": most,
        "seed": options.seed,
        "least_share": LEAST_SHARE,
        "cpu_s": {name: round(seconds, 1) for name, (_, seconds) in runs.items()},
        "precisions": {
            name: {
                title: compare(getattr(runs[name][0], values), getattr(reference, values), speeches)
                for title, values in MEASURES.items()
            }
            for name in options.precisions
        },
    }
    write("precision", {**result, **record_provenance(Models(options.models), sources)})


if __name__ == "__main__":
    main()
