"""Score a paragraph by the BM25 of the paragraphs before and after it, because speakers keep to a topic.

The plain mean of both neighbours is as good as any weighting of more neighbours that was tried on the
development set (docs/lab/experiments.md). If the draft retells a paragraph, its high BM25 does not count for
its neighbours. Another signal, *retold*, raises the paragraphs after it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reranker.signals.paraphrase import read_retold
from reranker.signals.signal import Context, Floats, Signal


def average_neighbours(scores: Floats, owners: NDArray[np.int64], ordinals: NDArray[np.int64]) -> Floats:
    """Return, for each of n paragraphs, the mean of the scores of the paragraphs before and after it.

    `owners` has the number of each paragraph's document, `ordinals` the number of the paragraph in its
    document. A neighbour that is not among the n paragraphs, or has no score, counts with the lowest score of
    all. If no paragraph has a score, all means are NaN.

    >>> at = np.array
    >>> average_neighbours(at([4.0, 2.0, np.nan]), at([0, 0, 1]), at([0, 1, 0])).tolist()
    [2.0, 3.0, 2.0]
    """
    if np.isnan(scores).all():
        return np.full(len(scores), np.nan)
    least = np.nanmin(scores)
    filled = np.where(np.isnan(scores), least, scores)
    is_next = (np.diff(owners) == 0) & (np.diff(ordinals) == 1)
    after, before = np.full(len(scores), least), np.full(len(scores), least)
    after[:-1][is_next] = filled[1:][is_next]
    before[1:][is_next] = filled[:-1][is_next]
    return (before + after) / 2


def _score_around(context: Context) -> Floats | None:
    lexical = context.candidates.columns.get("lexical")
    if lexical is None:
        return None
    retold = list(context.compute(read_retold))
    lexical = lexical.copy()
    lexical[retold] = np.nan
    return average_neighbours(lexical, context.candidates.owners, context.candidates.ordinals)


AROUND = Signal("around", "BM25 of adjacent paragraphs", "z", "paragraph", _score_around)
