"""Run BM25 with k1 and b tuned on dev, by our own arithmetic: both stores fix them at 1.2 and 0.75.

    python -m benchmarks.baselines.bm25 --data DATA --runs RUNS

Terms, query and statistics (of the paragraphs of one transcript) are those of the product. Lengths are
exact, whereas Lucene and tantivy round those past 40 tokens. Writes results/bm25-dev.json: mAP on dev for
each k1 and b.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from benchmarks.baselines.runs import Floats, RunRow, hash_training_files, make, make_parser, split
from benchmarks.provenance import record_provenance, write
from embedded.analysis import build_analyser
from evaluation.data import DEV, DOCUMENTS
from evaluation.metrics import average_precision, order
from evaluation.pairs import Pair
from jobs.recommend.queries import build_paragraph_query
from quotations.text.transcript import Transcript
from rostrum_core.types import Draft

K1 = (0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 3.0)
B = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
NAME = "bm25-tuned"


class TermTable:
    """Hold term frequencies of n texts: `frequencies` (terms, n) int, with rows numbered by `row_of`."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._analyse = build_analyser().analyze
        terms = [self._analyse(text) for text in texts]
        self.row_of = {
            term: row for row, term in enumerate(sorted({t for of_text in terms for t in of_text}))
        }
        self.frequencies = np.zeros((len(self.row_of), len(texts)), np.int64)
        for column, of_text in enumerate(terms):
            for term, count in Counter(of_text).items():
                self.frequencies[self.row_of[term], column] = count
        self.lengths = np.array([len(of_text) for of_text in terms], np.float64)

    def compute_scores(self, query: str, k1: float, b: float) -> Floats:
        """Compute BM25 of each text (n,); a repeated term of the query counts repeatedly."""
        query_terms = Counter(term for term in self._analyse(query) if term in self.row_of)
        frequencies = self.frequencies[[self.row_of[term] for term in query_terms]].astype(float)
        containing = (frequencies > 0).sum(1)
        idf = np.log1p((len(self.lengths) - containing + 0.5) / (containing + 0.5))
        relative = self.lengths / max(self.lengths.mean(), 1e-9)
        damped = frequencies + k1 * (1 - b + b * relative)
        saturated = np.divide(frequencies, damped, out=np.zeros_like(frequencies), where=frequencies > 0)
        scores: Floats = (np.array(list(query_terms.values()), float) * idf) @ saturated
        return scores


class BM25:
    """Score by BM25 with this k1 and b."""

    def __init__(self, k1: float, b: float) -> None:
        self.k1, self.b = k1, b

    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        table = TermTable(transcript.paragraphs)
        for pair in drafts:
            yield RunRow(pair, table.compute_scores(query_of(pair), self.k1, self.b))


def query_of(pair: Pair) -> str:
    """Return the product's BM25 query of paragraphs, without the text after the quote."""
    return build_paragraph_query(Draft(pair.title, pair.left))


def tune(pairs: Sequence[Pair], documents: Mapping[str, Transcript]) -> dict[tuple[float, float], float]:
    """Compute the mean average precision of the pairs for each (k1, b)."""
    by_document: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_document[pair.document].append(pair)
    precisions: dict[tuple[float, float], list[float]] = defaultdict(list)
    for document, of_document in by_document.items():
        table = TermTable(documents[document].paragraphs)
        for pair, k1, b in product(of_document, K1, B):
            ranked = order(table.compute_scores(query_of(pair), k1, b)).tolist()
            precisions[k1, b].append(average_precision(ranked, {part.ordinal for part in pair.parts}))
    return {tried: float(np.mean(values)) for tried, values in precisions.items()}


def main() -> None:
    """Run the command line of the script."""
    options = make_parser(__doc__).parse_args()
    dev = split(options.data, "dev")
    precisions = tune(dev.pairs, dev.documents)
    k1, b = max(precisions, key=lambda tried: precisions[tried])
    rows = [{"k1": k1, "b": b, "map": round(100 * value, 2)} for (k1, b), value in precisions.items()]
    sources = [options.data / DEV, options.data / DOCUMENTS]
    best = {"k1": k1, "b": b}
    write("bm25-dev", {"n": len(dev.pairs), "best": best, "tried": rows, **record_provenance(None, sources)})
    make(options, NAME, BM25(k1, b), {"k1": k1, "b": b, **hash_training_files(options.data)})


if __name__ == "__main__":
    main()
