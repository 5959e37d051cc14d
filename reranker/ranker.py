"""The ranker: how well each paragraph fits a draft, and which words of it would be quoted, in one pass.

The draft's keys and values are computed once and shared by all paragraphs (the query prefix).
Source: span scores as in "Context-Based Quotation Recommendation" (ICWSM 2021): S.T_i + E.T_j, j >= i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.batches import BATCH_TOKENS, batches, padded
from reranker.engines import Graph
from reranker.word_table import WordTable
from reranker.wordpieces import WordPieces, windows, word_edges
from rostrum.core.types import Span, Tokens


@dataclass(frozen=True, slots=True)
class Ranked:
    """A paragraph's score (a logit, comparable within one draft only) and its best span."""

    score: float
    span: Span


class Ranker:
    """Scores and spans of paragraphs, at most `batch_tokens` in one pass. Safe to share between threads."""

    def __init__(
        self,
        prefix: Graph,
        paragraph: Graph,
        words: WordTable,
        wordpieces: WordPieces,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self._prefix, self._paragraph, self._batch_tokens = prefix, paragraph, batch_tokens
        self._words, self._wordpieces = words, wordpieces

    def rank(self, query: NDArray[np.int32], texts: Sequence[str], tokens: Sequence[Tokens]) -> list[Ranked]:
        """Score and best span of each paragraph, in order, for a draft given as `WordPieces.query` ids.

        An overlong paragraph is scored in windows: its score and its span are the best of them.
        """
        if not texts:
            return []
        keys, values, draft = self._prefix({"words": self._words.lookup(query[None])})
        cuts = [(i, cut) for i, found in enumerate(tokens) for cut in windows(len(found))]
        packed = [self._wordpieces.packed(tokens[i].cut(*cut)) for i, cut in cuts]
        scores = np.empty(len(cuts), np.float32)
        edges: list[NDArray[np.float32]] = [np.empty((0, 2), np.float32)] * len(cuts)
        for batch in batches([len(p) for p in packed], self._batch_tokens):
            ids, mask = padded([packed[i] for i in batch])
            inputs = {"words": self._words.lookup(ids), "mask": mask}
            scores[batch], logits = self._paragraph(
                {**inputs, "keys": keys, "values": values, "draft": draft}
            )
            for row, i in enumerate(batch):
                edges[i] = logits[row, 1 : len(packed[i]) - 1]
        return _best_of_windows(texts, tokens, cuts, scores, edges)


def _best_of_windows(
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    cuts: Sequence[tuple[int, tuple[int, int]]],
    scores: NDArray[np.float32],
    edges: Sequence[NDArray[np.float32]],
) -> list[Ranked]:
    best: list[Ranked | None] = [None] * len(texts)
    for (i, cut), score, logits in zip(cuts, scores, edges, strict=True):
        span = best_span(texts[i], tokens[i].cut(*cut), logits)
        so_far = best[i]
        if so_far is None:
            best[i] = Ranked(float(score), span)
        else:
            better = max(so_far.span, span, key=lambda s: s.score)
            best[i] = Ranked(max(so_far.score, float(score)), better)
    return [ranked for ranked in best if ranked is not None]


def best_span(text: str, tokens: Tokens, edges: NDArray[np.float32]) -> Span:
    """The whole words from i to j >= i whose start and end logits have the greatest sum.

    `edges` float32 (n, 2): start and end logit of each piece. A text without a word is its own span, with
    the score of a span nobody wants (the sum of the least logits); ties go to the earlier, shorter span.

    >>> tokens = Tokens(*(np.array(x, np.int32) for x in ([7, 8, 9], [0, 3, 7], [2, 6, 13])))
    >>> best_span("We the people", tokens, np.array([[1, 0], [2, 0], [0, 3]], np.float32))
    Span(start_char=3, end_char=13, score=5.0)
    """
    begins, ends = word_edges(text, tokens)
    if not begins.any() or not ends.any():
        return _whole(text, edges)
    starts = np.where(begins, edges[:, 0], -np.inf)
    stops = np.where(ends, edges[:, 1], -np.inf)
    upto = np.maximum.accumulate(starts)
    totals = upto + stops
    last = int(np.argmax(totals))
    if not np.isfinite(totals[last]):
        return _whole(text, edges)
    first = int(np.argmax(starts[: last + 1] == upto[last]))
    return Span(int(tokens.starts[first]), int(tokens.ends[last]), float(totals[last]))


def _whole(text: str, edges: NDArray[np.float32]) -> Span:
    stripped = text.strip() or text
    start = text.index(stripped)
    worst = float(edges.min(axis=0).sum()) if len(edges) else -20.0
    return Span(start, start + len(stripped), worst)
