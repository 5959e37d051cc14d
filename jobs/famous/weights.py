"""Weigh the scores of the job against each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Hold the weights of z-scores over a list; figures in docs/lab/famous.md.

    `own` is that of the model of the job, `general` of the encoder that reads both sides as a paragraph,
    `draft` of the encoder that reads the left one as a draft, `words` of BM25. `named` is added to a quote
    whose author or work the sentence of the gap names. `uses` is
    that of earlier uses, for a list that has any.
    """

    own: float = 1.0
    general: float = 0.0
    draft: float = 0.0
    words: float = 0.0
    named: float = 0.0
    uses: float = 0.5


BARE = Weights(general=0.3, named=2.0)
"""For a list of texts alone, such as the verses of a book. Tried on dev: `general` from 0 to 1."""

DESCRIBED = Weights(own=0.3, general=0.6, draft=0.6, words=0.6, named=2.0)
"""For a list with authors. Tried on uses of famous lines in news: each from 0 to 1, `named` from 0 to 3."""
