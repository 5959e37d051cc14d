"""Recommend quotes by counts of words: BM25, the context-aware relevance model, and a product of ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.stats import rankdata

from benchmarks.baselines.famous_rows import FamousRows, Floats, Row, Score
from benchmarks.baselines.jobs import SparseBM25, join_sides
from embedded.analysis import build_analyser

TOP_K = 100
"""Ranks above it count as the next one in a product of ranks."""


def make_bm25(data: FamousRows) -> Score:
    """Return a function that scores the quotes by BM25 for the text around a gap."""
    index = SparseBM25([row["text"] for row in data.quotes])

    def score(rows: Sequence[Row], sides: str) -> Floats:
        return np.stack([index.score(join_sides(row, sides)) for row in rows]).astype(np.float32)

    return score


class ContextVectors:
    """Weigh the words of contexts by TF-IDF over the training contexts: sparse rows of length 1."""

    def __init__(self, data: FamousRows) -> None:
        self._analyse = build_analyser().analyze
        words = [self._analyse(join_sides(row, "both")) for row in data.splits["train"]]
        self._terms = {term: at for at, term in enumerate(sorted({term for row in words for term in row}))}
        counts = self._count(words)
        containing = np.bincount(counts.indices, minlength=len(self._terms))
        self._idf = np.log(len(words) / np.maximum(containing, 1))
        self.trained = self._weigh(counts)

    def read(self, rows: Sequence[Row], sides: str) -> csr_matrix:
        """Return the vectors of rows."""
        return self._weigh(self._count([self._analyse(join_sides(row, sides)) for row in rows]))

    def _count(self, words: Sequence[Sequence[str]]) -> csr_matrix:
        pairs = [
            (at, self._terms[term]) for at, row in enumerate(words) for term in row if term in self._terms
        ]
        places = np.array(pairs, np.int64).reshape(-1, 2).T
        return csr_matrix((np.ones(len(pairs)), (places[0], places[1])), (len(words), len(self._terms)))

    def _weigh(self, counts: csr_matrix) -> csr_matrix:
        counts = counts.copy()
        counts.data = np.log1p(counts.data)
        weighted = counts @ diags(self._idf)
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
        return csr_matrix(diags(1 / np.maximum(lengths, 1e-9)) @ weighted)


def make_relevance_model(data: FamousRows, vectors: ContextVectors) -> Score:
    """Return the scorer CRM (context-aware relevance model): the mean squared similarity to the training
    contexts of a quote.

    Source: He et al., "Context-aware citation recommendation" (WWW 2010), non-parametric relevance.
    """
    rows = data.splits["train"]
    gold = data.find_gold(rows)
    shares = 1 / np.bincount(gold, minlength=len(data.quotes))[gold]
    belongs = csr_matrix((shares, (np.arange(len(rows)), gold)), (len(rows), len(data.quotes)))

    def score(queries: Sequence[Row], sides: str) -> Floats:
        similar = vectors.read(queries, sides) @ vectors.trained.T
        squares = similar.multiply(similar) @ belongs
        return np.asarray(squares.todense(), np.float32)

    return score


def make_classifier(data: FamousRows, vectors: ContextVectors) -> Score:
    """Return the nearest-centroid scorer: the similarity to the sum of a quote's training contexts."""
    rows = data.splits["train"]
    gold = data.find_gold(rows)
    belongs = csr_matrix((np.ones(len(rows)), (gold, np.arange(len(rows)))), (len(data.quotes), len(rows)))
    sums = belongs @ vectors.trained
    lengths = np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1)).ravel())
    centroids = diags(1 / np.maximum(lengths, 1e-9)) @ sums

    def score(queries: Sequence[Row], sides: str) -> Floats:
        return np.asarray((vectors.read(queries, sides) @ centroids.T).todense(), np.float32)

    return score


def multiply_ranks(scores: Sequence[Score]) -> Score:
    """Combine systems by rank multiplication: the product of the ranks that they give to a quote.

    Source: Lee et al., "Quote Recommendation in Dialogue using Deep Neural Network" (SIGIR 2016), whose
    systems are a random forest, a CNN, an RNN and matched contexts.
    """

    def score(rows: Sequence[Row], sides: str) -> Floats:
        product = np.zeros(())
        for system in scores:
            ranks = rankdata(-system(rows, sides), axis=1, method="average")
            product = product - np.log(np.minimum(ranks, TOP_K + 1))
        return np.asarray(product, np.float32)

    return score
