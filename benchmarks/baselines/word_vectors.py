"""Train vectors of WordPieces by word2vec (gensim) on paragraphs spoken before dev begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

from reranker.models.wordpieces import WordPieces

WIDTH = 100
ENCODED_AT_ONCE = 10_000


def train_vectors(
    texts: Sequence[str], pieces: WordPieces, vocabulary: int, seed: int, *, min_count: int = 5
) -> NDArray[np.float32]:
    """Return CBOW vectors (vocabulary, width); a piece with fewer than `min_count` occurrences gets a
    random one.
    """
    sentences = [
        [str(i) for i in tokens.ids]
        for first in range(0, len(texts), ENCODED_AT_ONCE)
        for tokens in pieces.tokenise(list(texts[first : first + ENCODED_AT_ONCE]))
    ]
    model = Word2Vec(sentences, vector_size=WIDTH, min_count=min_count, seed=seed, workers=1)
    drawn = np.random.default_rng(seed).normal(size=(vocabulary, WIDTH))
    vectors: NDArray[np.float32] = drawn.astype(np.float32)
    for word, place in model.wv.key_to_index.items():
        vectors[int(word)] = model.wv.vectors[place]
    return vectors
