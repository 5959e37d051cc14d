"""Score quotes by comparing a text with the texts in which writers used each quote before."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embedded.analysis import build_analyser


class EarlierUses:
    """Index the texts in which writers used each quote before, as TF-IDF vectors of length 1, in memory."""

    def __init__(self, uses: Sequence[Sequence[str]]) -> None:
        self._analyse = build_analyser().analyze
        texts = [text for own in uses for text in own]
        self._quote = np.repeat(np.arange(len(uses)), [len(own) for own in uses])
        self._counts = np.array([len(own) for own in uses], np.int64)
        places: dict[str, array[int]] = defaultdict(lambda: array("i"))
        counts: dict[str, array[int]] = defaultdict(lambda: array("i"))
        for at, text in enumerate(texts):
            for word, count in Counter(self._analyse(text)).items():
                places[word].append(at)
                counts[word].append(count)
        self._rarities = {word: math.log1p(len(texts) / len(at)) for word, at in places.items()}
        weights = {
            word: self._rarities[word] * np.log1p(np.frombuffer(count, np.int32))
            for word, count in counts.items()
        }
        squares = np.zeros(len(texts))
        for word, where in places.items():
            squares[where] += weights[word] ** 2
        lengths = np.sqrt(squares)
        self._postings = {
            word: (np.frombuffer(where, np.int32), weights[word] / lengths[where])
            for word, where in places.items()
        }

    def __bool__(self) -> bool:
        """Return whether any quote has an earlier use."""
        return len(self._quote) > 0

    def score(self, text: str) -> NDArray[np.float32]:
        """Return how similar a text is to the earlier uses of each quote: float32 (quotes,) from 0 to 1.

        The score of a quote is the mean squared cosine between the text and each of the quote's earlier uses.
        A quote without uses gets 0. Words that occur in no use are ignored.

        >>> earlier = EarlierUses([["The wall fell.", "We paint."], ["Rivers flood."], []])
        >>> earlier.score("The walls fall").round(2).tolist()
        [0.25, 0.0, 0.0]
        """
        cosines = np.zeros(len(self._quote))
        length = 0.0
        for word, count in Counter(self._analyse(text)).items():
            if word in self._postings:
                weight = self._rarities[word] * math.log1p(count)
                at, weights = self._postings[word]
                cosines[at] += weight * weights
                length += weight * weight
        sums = np.bincount(self._quote, cosines**2, minlength=len(self._counts))
        means: NDArray[np.float32] = (sums / np.maximum(self._counts, 1) / (length or 1.0)).astype(np.float32)
        return means
