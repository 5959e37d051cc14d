"""Score sentences by the words that they share with a claim: BM25, treating each sentence as a document.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from embedded.analysis import build_analyser

K1, B = 1.2, 0.75
"""BM25 parameters, the same as in both stores."""


def score_words(claim: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 score of each text for a claim; 0 for a text that shares no word with the claim.

    Words are stemmed and stop words dropped, as in a search of the archive. The rarity of a word is computed
    from `texts`.

    >>> score_words("Walls fall", ["The wall fell.", "We wait.", "We do."])[1:]
    [0.0, 0.0]
    >>> score_words("Walls fall", [])
    []
    """
    words = set(_get_analyser().analyze(claim))
    counts = [Counter(_get_analyser().analyze(text)) for text in texts]
    lengths = [row.total() for row in counts]
    mean = max(sum(lengths) / max(len(lengths), 1), 1.0)
    rarity = {word: _compute_rarity(len(counts), sum(word in row for row in counts)) for word in words}
    return [
        math.fsum(rarity[word] * _limit_count(row[word], length / mean) for word in words if word in row)
        for row, length in zip(counts, lengths, strict=True)
    ]


def _compute_rarity(texts: int, containing: int) -> float:
    return math.log1p((texts - containing + 0.5) / (containing + 0.5))


def _limit_count(count: int, length: float) -> float:
    return count / (count + K1 * (1 - B + B * length))


@cache
def _get_analyser() -> Any:
    return build_analyser()
