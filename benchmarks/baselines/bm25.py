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

from benchmarks.baselines.runs import Floats, RunRow, make, parser, split, trained_on
from benchmarks.provenance import provenance, write
from embedded.analysis import build_analyser
from evaluation.data import DEV, DOCUMENTS
from evaluation.metrics import average_precision, order
from evaluation.pairs import Pair
from jobs.recommend.queries import build_paragraph_query
from quotations.transcript import Transcript
from rostrum_core.types import Draft

K1 = (0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 3.0)
B = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
NAME = "bm25-tuned"


class TermTable:
    """Hold term frequencies of n texts: `frequencies` (terms, n) int, with rows numbered by `row_of`."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._analyse = build_analyser().analyze
        terms = [self._analyse(text) for text in texts]
        self.row_of = {term: row for row, term in enumerate(sorted({t for some in terms for t in some}))}
        self.frequencies = np.zeros((len(self.row_of), len(texts)), np.int64)
        for column, some in enumerate(terms):
            for term, count in Counter(some).items():
                self.frequencies[self.row_of[term], column] = count
        self.lengths = np.array([len(some) for some in terms], np.float64)

    def scores(self, query: str, k1: float, b: float) -> Floats:
        """Compute BM25 of each text (n,); a repeated term of the query counts repeatedly."""
        asked = Counter(term for term in self._analyse(query) if term in self.row_of)
        frequencies = self.frequencies[[self.row_of[term] for term in asked]].astype(float)
        containing = (frequencies > 0).sum(1)
        idf = np.log1p((len(self.lengths) - containing + 0.5) / (containing + 0.5))
        relative = self.lengths / max(self.lengths.mean(), 1e-9)
        damped = frequencies + k1 * (1 - b + b * relative)
        saturated = np.divide(frequencies, damped, out=np.zeros_like(frequencies), where=frequencies > 0)
        found: Floats = (np.array(list(asked.values()), float) * idf) @ saturated
        return found


class BM25:
    """Score by BM25 with this k1 and b."""

    def __init__(self, k1: float, b: float) -> None:
        self.k1, self.b = k1, b

    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        table = TermTable(transcript.paragraphs)
        for pair in drafts:
            yield RunRow(pair, table.scores(query_of(pair), self.k1, self.b))


def query_of(pair: Pair) -> str:
    """Return the product's BM25 query of paragraphs, without the text after the quote."""
    return build_paragraph_query(Draft(pair.title, pair.left))


def tuned(pairs: Sequence[Pair], documents: Mapping[str, Transcript]) -> dict[tuple[float, float], float]:
    """Compute the mean average precision of the pairs for each (k1, b)."""
    by_document: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_document[pair.document].append(pair)
    precisions: dict[tuple[float, float], list[float]] = defaultdict(list)
    for document, some in by_document.items():
        table = TermTable(documents[document].paragraphs)
        for pair, k1, b in product(some, K1, B):
            ranked = order(table.scores(query_of(pair), k1, b)).tolist()
            precisions[k1, b].append(average_precision(ranked, {part.ordinal for part in pair.parts}))
    return {tried: float(np.mean(values)) for tried, values in precisions.items()}


def main() -> None:
    """Run the command line of the script."""
    given = parser(__doc__).parse_args()
    dev = split(given.data, "dev")
    found = tuned(dev.pairs, dev.documents)
    k1, b = max(found, key=lambda tried: found[tried])
    rows = [{"k1": k1, "b": b, "map": round(100 * value, 2)} for (k1, b), value in found.items()]
    sources = [given.data / DEV, given.data / DOCUMENTS]
    best = {"k1": k1, "b": b}
    write("bm25-dev", {"n": len(dev.pairs), "best": best, "tried": rows, **provenance(None, sources)})
    make(given, NAME, BM25(k1, b), {"k1": k1, "b": b, **trained_on(given.data)})


if __name__ == "__main__":
    main()
