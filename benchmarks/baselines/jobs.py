"""Compare the models of famous quotes and of evidence with BM25 on the same rows.

    python -m benchmarks.baselines.jobs --famous FOLDER --evidence FOLDER --runs RUNS --tokenizer FILE

FOLDER holds the data of a job. RUNS/famous and RUNS/evidence are folders of trainings, whose reports list
the result of each row. Rows of one document are permuted together. Writes `results/jobs.json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from embedded.analysis import build_analyser
from evaluation.metrics import run_permutation_test
from training.evidence import judge_ranking
from training.famous import FREQUENT, summarise
from training.famous_data import is_clean
from training.job_data import read_rows

K1, B = 1.2, 0.75  # those of the stores
Floats = NDArray[np.float64]


class SparseBM25:
    """Score many texts by BM25, as a sparse matrix (texts, terms)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._analyse = build_analyser().analyze
        counts = [Counter(self._analyse(text)) for text in texts]
        self._terms = {term: at for at, term in enumerate(sorted({term for row in counts for term in row}))}
        lengths = np.array([sum(row.values()) for row in counts], np.float64)
        relative = lengths / max(lengths.mean(), 1e-9)
        rows = np.repeat(np.arange(len(texts)), [len(row) for row in counts])
        columns = np.array([self._terms[term] for row in counts for term in row], np.int64)
        values = np.array([count for row in counts for count in row.values()], np.float64)
        containing = np.bincount(columns, minlength=len(self._terms))
        idf = np.log1p((len(texts) - containing + 0.5) / (containing + 0.5))
        weights = idf[columns] * values / (values + K1 * (1 - B + B * relative[rows]))
        self._weights = csr_matrix((weights, (rows, columns)), shape=(len(texts), len(self._terms)))

    def score(self, query: str) -> Floats:
        """Return the score of each text (texts,)."""
        counts = Counter(term for term in self._analyse(query) if term in self._terms)
        vector = np.zeros(len(self._terms))
        for term, count in counts.items():
            vector[self._terms[term]] = count
        scores: Floats = self._weights @ vector
        return scores


def compare_famous(folder: Path, run: Path) -> dict[str, Any]:
    """Return figures of BM25 and of the model on the clean test rows, with p of each difference."""
    verses = read_rows(folder / "kjv-verses.jsonl.gz")
    rows = [row for row in read_rows(folder / "kjv-contexts.jsonl.gz") if is_clean(row)]
    place = {row["ref"]: at for at, row in enumerate(verses)}
    counts = Counter(row["ref"] for row in rows)
    report = json.loads((run / "famous.json").read_text("utf-8"))["trained"]
    test = [row for row in rows if row["split"] == "test"]
    frequent = [at for at, row in enumerate(verses) if counts[row["ref"]] >= FREQUENT]
    sets = {
        "": (test, list(range(len(verses)))),
        " frequent": ([row for row in test if counts[row["ref"]] >= FREQUENT], frequent),
    }
    figures: dict[str, Any] = {}
    for name, (chosen, among) in sets.items():
        index = SparseBM25([verses[at]["text"] for at in among])
        column = {at: i for i, at in enumerate(among)}
        clusters = [row["doc"] for row in chosen]
        for sides in ("both", "left"):
            scores = [index.score(join_sides(row, sides)) for row in chosen]
            ranks = [
                rank_of(score, column[place[row["ref"]]]) for score, row in zip(scores, chosen, strict=True)
            ]
            model = report[f"test {sides}{name} ranks"]
            p_value = run_permutation_test(
                [1 / rank for rank in model], [1 / rank for rank in ranks], clusters
            )
            figures[f"{sides}{name}"] = {"bm25": summarise(ranks), "model": summarise(model), "p": p_value}
        full, left = (report[f"test {sides}{name} ranks"] for sides in ("both", "left"))
        figures[f"both against left{name}"] = {
            "p": run_permutation_test([1 / rank for rank in full], [1 / rank for rank in left], clusters)
        }
    return figures


def join_sides(row: Mapping[str, Any], sides: str) -> str:
    """Return the texts before and after a gap as one; if `sides` is "left", only the text before it.

    >>> join_sides({"left": "a", "right": "b"}, "both"), join_sides({"left": "a", "right": "b"}, "left")
    ('a b', 'a')
    """
    return f"{row['left']} {row['right']}" if sides == "both" else str(row["left"])


def rank_of(scores: Floats, gold: int) -> int:
    """Return the rank of the text `gold`; half of the texts with the same score count as before it.

    >>> rank_of(np.array([3.0, 1.0, 2.0]), 2)
    2
    """
    above, equal = int((scores > scores[gold]).sum()), int((scores == scores[gold]).sum()) - 1
    return 1 + above + equal // 2


def compare_evidence(run: Path, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return figures of BM25 and of the model on the test claims of each set, with p of the differences.

    `rows` are those of `training.evidence_rows`: a claim with the sentences of its document.
    """
    report = json.loads((run / "evidence.json").read_text("utf-8"))["trained"]
    figures: dict[str, Any] = {}
    for kind in ("debater", "scifact"):
        chosen = [row for row in rows if row["set"] == kind]
        judged = [judge_bm25(row) for row in chosen]
        model = report[f"{kind} test"]
        clusters = [str(row["document"]) for row in chosen]
        means = {name: round(float(np.mean([row[name] for row in judged])), 4) for name in judged[0]}
        p_values = {
            name: run_permutation_test(model[f"{name} of each"], [row[name] for row in judged], clusters)
            for name in ("pairwise", "mrr")
        }
        kept = {name: model[name] for name in means}
        figures[kind] = {"n": len(chosen), "bm25": means, "model": kept, "p": p_values}
    return figures


def judge_bm25(row: dict[str, Any]) -> dict[str, float]:
    """Return the figures of BM25 for one claim."""
    scores = SparseBM25(row["sentences"]).score(row["claim"])
    return judge_ranking(scores.astype(np.float32), np.array(row["evidence"], bool))


def main() -> None:
    """Read the command line, compare, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--famous", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    options = parser.parse_args()
    from training.evidence_rows import read_test_rows

    data = sorted([*options.famous.glob("kjv-*.gz"), *options.evidence.glob("*.gz")])
    figures = {
        "famous": compare_famous(options.famous, options.runs / "famous"),
        "evidence": compare_evidence(
            options.runs / "evidence", read_test_rows(options.evidence, options.tokenizer)
        ),
    }
    write("jobs", {**figures, **record_provenance(None, data)})


if __name__ == "__main__":
    main()
