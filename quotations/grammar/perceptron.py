"""Label words with the averaged perceptron of `denckring-en-pos`, caching sums of its weights.

The package's own `tag` adds up fifteen rows of weights for each word. Most of them depend only on the word or
on the previous tags, so their sums are cached here. The labels are the same (a test compares them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from denckring_en_pos.perceptron import Tagger

Floats = NDArray[np.float64]
KEPT_WORDS = 1 << 13
START, END = "<s>", "</s>"
"""Words of the package beyond the ends of a sentence; importing it would make each command start later."""

OFFSETS = (-1, -2, 1, 2)


class Perceptron:
    """Label words with their part of speech, from left to right."""

    def __init__(self, model: Tagger) -> None:
        self._weights, self._unambiguous = model.weights, model.tagdict
        self._labels = model.classes[
            ::-1
        ]  # of equal scores the last label wins, and `argmax` takes the first
        self._places = {label: at for at, label in enumerate(self._labels)}
        self._rate_word = lru_cache(KEPT_WORDS)(self._rate_word_once)
        self._rate_neighbours = lru_cache(KEPT_WORDS)(self._rate_neighbours_once)
        self._rate_tags = cache(self._rate_tags_once)
        self._nothing = np.zeros(len(self._labels))

    def label(self, words: Sequence[str]) -> list[str]:
        """Return one label for each word, such as "VERB|Fin" (part of speech and verb form), as `Tagger.tag`
        does.
        """
        lowers = [word.lower() for word in words]
        certain = list(map(self._unambiguous.get, lowers))
        labels: list[str] = []
        before, last = START, START
        for lower, label, row in zip(lowers, certain, self._rate(words, lowers, certain), strict=True):
            if label is None:
                row += self._rate_tags(before, last)
                for other, weight in self._weights.get(f"t-1 w {last} {lower}", NOTHING).items():
                    row[self._places[other]] += weight
                label = self._labels[row.argmax()]
            labels.append(label)
            before, last = last, label
        return labels

    def _rate(self, words: Sequence[str], lowers: Sequence[str], certain: Sequence[str | None]) -> Floats:
        """Score each label for each word by the word itself and its neighbours: float64 (n, labels).

        The caller adds the scores that depend on the labels of the previous words. `certain` has the labels
        of the words that are already known, else `None`. Ignore the rows of words with a known label.
        """
        if not words:
            return np.empty((0, len(self._labels)))
        pairs = zip(words, certain, strict=True)
        rated = [self._rate_word(word) if label is None else self._nothing for word, label in pairs]
        rows = np.concatenate(rated).reshape(len(words), -1)
        near = np.concatenate([*map(self._rate_neighbours, (START, START, *lowers, END, END))])
        near = near.reshape(len(words) + 4, len(OFFSETS), -1)
        for number, offset in enumerate(OFFSETS):
            rows += near[2 + offset : 2 + offset + len(words), number]
        return rows

    def _rate_word_once(self, word: str) -> Floats:
        lower = word.lower()
        shape = ("X" if word[:1].isupper() else "x") + ("d" if any(c.isdigit() for c in word) else "")
        ends = (f"suf{n} {lower[-n:]}" for n in (3, 2, 1))
        return self._add("bias", *ends, f"pre1 {lower[:1]}", f"shape {shape}", f"w {lower}")

    def _rate_neighbours_once(self, word: str) -> Floats:
        """Return what a word adds to the label scores of the words near it, float64 (offsets * labels,).

        For each offset in `OFFSETS`, the result has a score for each label. The scores for offset -1 are
        added to the scores of the next word, because `word` stands right before it.
        """
        return np.concatenate([self._add(f"w{offset:+d} {word}") for offset in OFFSETS])

    def _rate_tags_once(self, before: str, last: str) -> Floats:
        return self._add(f"t-1 {last}", f"t-2 {before}", f"t-1t-2 {last} {before}")

    def _add(self, *features: str) -> Floats:
        """Return the sum of the weights of features, float64 (labels,)."""
        scores = np.zeros(len(self._labels))
        for feature in features:
            for label, weight in self._weights.get(feature, NOTHING).items():
                scores[self._places[label]] += weight
        return scores


NOTHING: dict[str, float] = {}


@cache
def load_perceptron() -> Perceptron:
    """Load the perceptron of `denckring-en-pos`; later calls return the same object."""
    from denckring_en_pos import tagger

    return Perceptron(tagger())
