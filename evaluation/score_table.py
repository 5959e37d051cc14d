"""Store scores of many drafts' candidates in padded arrays, to try fusion weights on all drafts at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import FusionWeights

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Weights = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Row:
    """Hold the scores of the n candidate paragraphs of one draft.

    `parts` maps the name of each signal to its standardised scores, float64 (n,). `model` has the ranker's
    logits of the paragraphs, `span` those of their best spans, float64 (n,) each. `relevant` has the indices
    of the candidates that the draft quotes.
    """

    parts: Mapping[str, Floats]
    model: Floats
    span: Floats
    relevant: frozenset[int]


class ScoreTable:
    """Hold the scores of many rows (one draft's candidates each) in arrays, padded to the longest row.

    The arrays are `model`, `span` and, for each signal, an entry of `parts`; each is float64 (rows, longest).
    In every weighted sum, padding is -inf, so that padding ranks after all candidates.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._counts = np.array([len(row.model) for row in rows])
        names = {name for row in rows for name in row.parts}
        self.parts = {name: self._pad(row.parts[name] for row in rows) for name in sorted(names)}
        self.model = self._pad(row.model for row in rows)
        self.span = self._pad(row.span for row in rows)
        self._padding = np.where(self._columns < self._counts[:, None], 0.0, -np.inf)
        quoted = [(i, j) for i, row in enumerate(rows) for j in sorted(row.relevant)]
        self._row, self._column = np.array(quoted, np.int64).reshape(-1, 2).T

    @property
    def _columns(self) -> Integers:
        return np.arange(self._counts.max(initial=0))

    def _pad(self, scores: Iterable[Floats]) -> Floats:
        table = np.zeros((len(self._counts), self._counts.max(initial=0)))
        for i, row_scores in enumerate(scores):
            table[i, : len(row_scores)] = row_scores
        return table

    def sum_parts(self, weights: Weights) -> Floats:
        """Compute the sum of each candidate's signal scores times their weights: float64 (rows, longest).

        `longest` is the number of candidates in the longest row. A signal without a weight is left out.
        """
        total: Floats = self._padding + sum(
            weight * self.parts[name] for name, weight in weights.items() if weight and name in self.parts
        )
        return total

    def fuse(self, weights: FusionWeights) -> Floats:
        """Compute the final scores of all candidates with these weights: float64 (rows, longest).

        `longest` is the number of candidates in the longest row. For each draft, the scores differ from those
        of `fuse_late` only by a constant, so they order its candidates in the same way.
        """
        paragraph = weights.model * self.model + self.sum_parts(weights.paragraph)
        fused: Floats = weights.alpha * self.span + weights.beta * paragraph
        return fused

    def rank_relevant(self, scores: Floats) -> Integers:
        """Return the rank of each relevant candidate within its row, with the row sorted by `scores`.

        The best candidate of a row has rank 1. Equal scores keep their order. The ranks of all rows are in
        one array, row after row.
        """
        of_row, own = scores[self._row], scores[self._row, self._column][:, None]
        before = (of_row > own) | ((of_row == own) & (self._columns < self._column[:, None]))
        ranks: Integers = 1 + before.sum(1)
        return ranks

    def compute_precisions(self, scores: Floats) -> Floats:
        """Compute the average precision of each row if sorted by `scores`, (rows,), 0 to 1.

        Every row must have a relevant candidate.
        """
        ranks = self.rank_relevant(scores)
        by_rank = np.lexsort((ranks, self._row))
        counts = np.bincount(self._row, minlength=len(self._counts))
        first = np.repeat(np.cumsum(counts) - counts, counts)
        hits = 1 + np.arange(len(ranks)) - first
        sums = np.bincount(self._row, hits / ranks[by_rank], minlength=len(self._counts))
        average: Floats = sums / counts
        return average

    def compute_mean_ap(self, scores: Floats) -> float:
        """Compute the mean average precision of all rows if sorted by `scores`, 0 to 1."""
        return float(self.compute_precisions(scores).mean())

    def recall(self, scores: Floats, k: int) -> float:
        """Return the share of rows with a relevant candidate among the first `k` if sorted by `scores`."""
        reached = self._row[self.rank_relevant(scores) <= k]
        return len(np.unique(reached)) / len(self._counts)
