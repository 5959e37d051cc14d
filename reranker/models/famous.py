"""Encode gaps in drafts and well-known quotes as vectors, to find the quotes that fit a gap.

A gap is a place where a quote is wanted. Its vector is computed from the text around it, and is near the
vectors of the quotes that fit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import BATCH_TOKENS, pad_batch, split_batches
from reranker.models.onnx_session import Graph
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import SIDE_TOKENS, WordPieces

QUOTE_TOKENS = SIDE_TOKENS  # as in training; longer texts are cut at their end


class Famous:
    """Encode contexts (the texts before and after a gap) and quotes, with at most `batch_tokens` in one pass.

    Threads may share an object of this class. The score of a quote in a context is the dot product of their
    vectors, from -1 to 1.
    """

    def __init__(
        self,
        contexts: Graph,
        quotes: Graph,
        words: WordLookup,
        wordpieces: WordPieces,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self._contexts, self._quotes, self._batch_tokens = contexts, quotes, batch_tokens
        self._words, self._wordpieces = words, wordpieces

    def encode_contexts(self, sides: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return a vector for each gap, from the texts before and after the gap: float32 (n, width).

        Each vector has the length 1. Either text may be empty. Each text is cut to the `SIDE_TOKENS`
        WordPieces nearest to the gap.
        """
        packed = [self._wordpieces.tokenise_context(left, right) for left, right in sides]
        vectors = np.zeros((len(packed), self._words.width), np.float32)
        for batch in split_batches([len(ids) for ids, _ in packed], self._batch_tokens):
            ids, mask = pad_batch([packed[i][0] for i in batch])
            gap = np.array([packed[i][1] for i in batch], np.int64)
            (vectors[batch],) = self._contexts({"words": self._words.lookup(ids), "mask": mask, "gap": gap})
        return vectors

    def encode_quotes(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each quote: float32 (n, width), each of length 1."""
        pieces = self._wordpieces.tokenise(list(texts))
        packed = [self._wordpieces.pack(tokens.cut(0, QUOTE_TOKENS)) for tokens in pieces]
        vectors = np.zeros((len(packed), self._words.width), np.float32)
        for batch in split_batches([len(ids) for ids in packed], self._batch_tokens):
            ids, mask = pad_batch([packed[i] for i in batch])
            (vectors[batch],) = self._quotes({"words": self._words.lookup(ids), "mask": mask})
        return vectors
