"""Score quotes by the words that they share with a text: BM25 over one list, held in memory.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embedded.analysis import build_analyser

K1, B = 1.2, 0.75
"""BM25 parameters, the same as in both stores."""


class QuoteWords:
    """Index the words of quotes, stemmed and without stop words, as the archive indexes the words of
    speeches.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._analyse, self._size = build_analyser().analyze, len(texts)
        places: dict[str, array[int]] = defaultdict(lambda: array("i"))
        counts: dict[str, array[int]] = defaultdict(lambda: array("i"))
        lengths = np.zeros(len(texts), np.float32)
        for at, text in enumerate(texts):
            words = Counter(self._analyse(text))
            lengths[at] = words.total()
            for word, count in words.items():
                places[word].append(at)
                counts[word].append(count)
        relative = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if len(texts) else 1.0))
        self._postings = {
            word: (np.frombuffer(at, np.int32), self._weigh(at, counts[word], relative))
            for word, at in places.items()
        }

    def _weigh(self, at: array[int], count: array[int], relative: NDArray[np.float32]) -> NDArray[np.float32]:
        often = np.frombuffer(count, np.int32)
        rarity = math.log1p((self._size - len(at) + 0.5) / (len(at) + 0.5))
        weights: NDArray[np.float32] = (rarity * often / (often + relative[at])).astype(np.float32)
        return weights

    def score(self, text: str) -> NDArray[np.float32]:
        """Return how well each indexed quote matches the words of `text`: its BM25 score, float32 (quotes,).

        A word repeated in `text` counts each time.

        >>> scores = QuoteWords(["The wall fell.", "We wait."]).score("Walls end; one wall stays.")
        >>> bool(scores[0] == np.float32(2 * math.log(2) / (1 + K1))), float(scores[1])
        (True, 0.0)
        """
        scores = np.zeros(self._size, np.float32)
        for word, count in Counter(self._analyse(text)).items():
            if word in self._postings:
                places, weights = self._postings[word]
                scores[places] += count * weights
        return scores
