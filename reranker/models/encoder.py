"""Encode a draft or a paragraph as a vector.

The vector of a draft is near the vectors of paragraphs that the draft may quote.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import BATCH_TOKENS, pad_batch, split_batches
from reranker.models.onnx_session import Graph
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import WordPieces, split_windows
from rostrum_core.types import Encoding


class Encoder:
    """Encode texts as vectors, with at most `batch_tokens` padded tokens in one pass.

    Threads may share an encoder.
    """

    def __init__(
        self, graph: Graph, words: WordLookup, wordpieces: WordPieces, batch_tokens: int = BATCH_TOKENS
    ) -> None:
        self._graph, self._words, self._wordpieces = graph, words, wordpieces
        self._batch_tokens = batch_tokens

    def encode(self, texts: Sequence[NDArray[np.int32]]) -> NDArray[np.float32]:
        """Return the vectors of n texts in order, float32 (n, width), each of length 1.

        Each text is an array of at most 512 token ids, including `[CLS]` and `[SEP]`.
        """
        vectors = np.zeros((len(texts), self._words.width), np.float32)
        for batch in split_batches([len(t) for t in texts], self._batch_tokens):
            ids, mask = pad_batch([texts[i] for i in batch])
            (vectors[batch],) = self._graph({"words": self._words.lookup(ids), "mask": mask})
        return vectors

    def encode_query(self, ids: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the vector of a draft, float32 (width,), length 1.

        `ids` are the token ids that `WordPieces.tokenise_query` returns for the draft.
        """
        vector: NDArray[np.float32] = self.encode([ids])[0]
        return vector

    def encodings(self, texts: Sequence[str]) -> list[Encoding]:
        """Return the WordPieces and the vector of each paragraph.

        A paragraph that is too long for one pass is encoded in overlapping windows. Its vector is the
        normalised mean of their vectors.
        """
        tokens = self._wordpieces.tokenise(list(texts))
        cuts = [(i, cut) for i, pieces in enumerate(tokens) for cut in split_windows(len(pieces))]
        vectors = self.encode([self._wordpieces.pack(tokens[i].cut(*cut)) for i, cut in cuts])
        sums = np.zeros((len(tokens), self._words.width), np.float32)
        np.add.at(sums, [i for i, _ in cuts], vectors)
        sums /= np.linalg.norm(sums, axis=1, keepdims=True)
        return [Encoding(pieces, row.copy()) for pieces, row in zip(tokens, sums, strict=True)]
