"""Measure the length of a paragraph, because writers quote more often from long paragraphs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reranker.signals.signal import Floats, Signal


def measure_lengths(texts: Sequence[str]) -> Floats:
    """Return log(1 + characters) of each text, float64 (n,).

    >>> measure_lengths(["", "ab"]).round(3).tolist()
    [0.0, 1.099]
    """
    return np.log1p(np.array([len(text) for text in texts], np.float64))


LENGTH = Signal(
    "length",
    "length of the paragraph",
    "z",
    "paragraph",
    lambda context: measure_lengths([p.text for p, _ in context.candidates.read_all()]),
    merged=True,
)
