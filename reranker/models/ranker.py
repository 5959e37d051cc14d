"""Rank paragraphs for a draft, and predict the words to quote, in one pass.

The transformer's keys and values of the draft are computed once and shared by all paragraphs. Models with an
early head can estimate the scores of all paragraphs after a few layers (`Ranker.estimate`), so that only the
best paragraphs run through the remaining layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import RANK_TOKENS, pack_batches, pad_batch
from reranker.models.onnx_session import Array, Graph
from reranker.models.prefixes import Prefix, PrefixCache, SplitGraph, States, cut_states
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import Ids, WordPieces, split_windows
from reranker.spans import LENGTH_WEIGHT, choose_spans
from rostrum_core.errors import ModelError
from rostrum_core.types import Placing, Span, Tokens


@dataclass(frozen=True, slots=True)
class RankedParagraph:
    """Hold a paragraph's score (a logit, comparable within one draft only) and its best span."""

    score: float
    span: Span


class Ranker:
    """Score paragraphs and the spans in them, with at most `batch_tokens` padded tokens in one pass.

    Threads may share a ranker. `paragraph` is the graph of all layers, or a `SplitGraph` of the lower and the
    upper layers. `length_weight` is the weight of the prior of a span's length (see `choose_span`).
    """

    def __init__(
        self,
        prefix: Graph,
        paragraph: Graph | SplitGraph,
        words: WordLookup,
        wordpieces: WordPieces,
        batch_tokens: int = RANK_TOKENS,
        length_weight: float = LENGTH_WEIGHT,
    ) -> None:
        self._prefixes = PrefixCache(prefix, words)
        self._paragraph, self._batch_tokens = paragraph, batch_tokens
        self._words, self._wordpieces, self._length_weight = words, wordpieces, length_weight

    def rank(
        self,
        query: NDArray[np.int32],
        texts: Sequence[str],
        tokens: Sequence[Tokens],
        placings: Sequence[Placing | None] | None = None,
    ) -> list[RankedParagraph]:
        """Return the score and the best span of each paragraph, in order.

        `query` has the draft's token ids, as `WordPieces.tokenise_query` returns them. `placings` give the
        distance of each WordPiece from words that the draft already quotes. A paragraph that is too long for
        one pass is scored in overlapping windows. The paragraph gets the highest score and the best span of
        its windows, which may come from different windows.
        """
        if not texts:
            return []
        prefix = self._prefixes.encode(query)
        cuts = [(i, cut) for i, pieces in enumerate(tokens) for cut in split_windows(len(pieces))]
        packed = [self._wordpieces.pack(tokens[i].cut(*cut)) for i, cut in cuts]
        scores = np.empty(len(cuts), np.float32)
        edges: list[NDArray[np.float32]] = [np.empty((0, 2), np.float32)] * len(cuts)
        for batch in pack_batches([len(p) for p in packed], self._batch_tokens):
            scores[batch], logits = self._score([packed[i] for i in batch], prefix)
            for row, i in enumerate(batch):
                edges[i] = logits[row, 1 : len(packed[i]) - 1]
        placed = [None] * len(texts) if placings is None else placings
        spans = choose_spans(
            [texts[i] for i, _ in cuts],
            [tokens[i].cut(*cut) for i, cut in cuts],
            edges,
            self._length_weight,
            [_cut(placed[i], cut) for i, cut in cuts],
        )
        return _pick_best_windows(len(texts), [i for i, _ in cuts], scores, spans)

    def estimate(self, query: NDArray[np.int32], tokens: Sequence[Tokens]) -> NDArray[np.float32]:
        """Estimate the score of each paragraph from the lower layers only: float32 (n,).

        If `rank` is then called for the same paragraphs, it runs only the remaining layers. A paragraph that
        is too long for one pass is split into windows, and gets the best estimate of these.

        Raises:
            ModelError: the models have no early head (which estimates scores from the lower layers).
        """
        if not isinstance(self._paragraph, SplitGraph):
            raise ModelError("these models have no early head")
        estimates = np.full(len(tokens), -np.inf, np.float32)
        prefix = self._prefixes.encode(query)
        cuts = [(i, cut) for i, pieces in enumerate(tokens) for cut in split_windows(len(pieces))]
        packed = [self._wordpieces.pack(tokens[i].cut(*cut)) for i, cut in cuts]
        for batch in pack_batches([len(p) for p in packed], self._batch_tokens):
            states, scores = self._run_lower(self._paragraph.lower, [packed[i] for i in batch], prefix)
            self._prefixes.keep_hidden(prefix, states)
            np.maximum.at(estimates, [cuts[i][0] for i in batch], scores)
        return estimates

    def forget_drafts(self) -> None:
        """Drop the cached keys and values of all drafts, so that the next pass computes them again."""
        self._prefixes.clear()

    def _score(self, packed: Sequence[Ids], prefix: Prefix) -> tuple[Array, Array]:
        """Return the scores (b,) of b packed paragraphs, and the edge logits (b, longest, 2) of their pieces.

        Edge logits are the logits that a span starts or ends at a piece.
        """
        if not isinstance(self._paragraph, SplitGraph):
            ids, mask = pad_batch(packed)
            scores, edges = self._paragraph(
                {"words": self._words.lookup(ids), "mask": mask, **prefix.outputs}
            )
            return scores, edges
        lower = self._paragraph.lower
        _, mask = pad_batch(packed)
        hidden = self._prefixes.take_hidden(
            prefix, packed, mask.shape[1], lambda missing: self._run_lower(lower, missing, prefix)[0]
        )
        scores, edges = self._paragraph.upper({"hidden": hidden, "mask": mask, **prefix.outputs})
        return scores, edges

    def _run_lower(self, lower: Graph, packed: Sequence[Ids], prefix: Prefix) -> tuple[States, Array]:
        """Run the lower layers on b packed paragraphs; return their hidden states and estimated scores (b,).

        The hidden states are a mapping from the bytes of a paragraph's token ids to an array (n, width).
        """
        ids, mask = pad_batch(packed)
        hidden, estimates = lower({"words": self._words.lookup(ids), "mask": mask, **prefix.outputs})
        return cut_states(packed, hidden), estimates


def _cut(placing: Placing | None, window: tuple[int, int]) -> Placing | None:
    return None if placing is None else placing.cut(*window)


def _pick_best_windows(
    count: int, owners: Sequence[int], scores: NDArray[np.float32], spans: Sequence[Span]
) -> list[RankedParagraph]:
    """Return, for each of `count` texts, the best score and the best span of the text's windows.

    `owners` has the index of the text for each window. Score and span may come from different windows.
    """
    best: list[RankedParagraph | None] = [None] * count
    for i, score, span in zip(owners, scores, spans, strict=True):
        so_far = best[i]
        if so_far is None:
            best[i] = RankedParagraph(float(score), span)
        else:
            better = max(so_far.span, span, key=lambda s: s.score)
            best[i] = RankedParagraph(max(so_far.score, float(score)), better)
    return [ranked for ranked in best if ranked is not None]
