"""Judge whether a printed quotation has the same meaning as its source.

The model judges what string matching cannot: whether other words, or an omission, change the meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import BATCH_TOKENS, pad_batch, split_batches
from reranker.models.onnx_session import Graph
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces


class Quotes:
    """Encode quotations, and judge whether their meaning differs from that of their sources.

    One pass has at most `batch_tokens` padded tokens. Threads may share an object of this class.
    """

    def __init__(
        self,
        encoder: Graph,
        pair: Graph,
        words: WordLookup,
        wordpieces: WordPieces,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self._encoder, self._pair, self._batch_tokens = encoder, pair, batch_tokens
        self._words, self._wordpieces = words, wordpieces

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each quotation or source: float32 (n, width), rows of length 1.

        Each text is cut to its first `PARAGRAPH_TOKENS` pieces.
        """
        pieces = self._wordpieces.tokenise(list(texts))
        packed = [self._wordpieces.pack(tokens.cut(0, PARAGRAPH_TOKENS)) for tokens in pieces]
        vectors = np.zeros((len(packed), self._words.width), np.float32)
        for batch in split_batches([len(ids) for ids in packed], self._batch_tokens):
            ids, mask = pad_batch([packed[i] for i in batch])
            (vectors[batch],) = self._encoder({"words": self._words.lookup(ids), "mask": mask})
        return vectors

    def judge(self, quotes: Sequence[str], sources: Sequence[str]) -> NDArray[np.float32]:
        """Return the probability (n,) that each quotation's meaning differs from that of its source.

        A source is the whole sentence, or sentences, that the quotation was taken from.
        """
        if not quotes:
            return np.zeros(0, np.float32)
        vectors = self.encode([*quotes, *sources])
        inputs = {"quotes": vectors[: len(quotes)], "sources": vectors[len(quotes) :]}
        (odds,) = self._pair(inputs)
        return (1 / (1 + np.exp(-odds))).astype(np.float32)
