"""Define the weights that combine the scores of famous quotes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Hold the weights of z-scores over a list; figures in docs/lab/famous.md.

    `own` is the weight of the quote model, `general` of the encoder reading both sides as a paragraph,
    `draft` of the encoder reading the left side as a draft, `words` of BM25, and `uses` of earlier uses, for
    lists that have them. `named` is added for a quote whose author or work is named in the sentence of the
    gap.
    """

    own: float = 1.0
    general: float = 0.0
    draft: float = 0.0
    words: float = 0.0
    named: float = 0.0
    uses: float = 0.5


BARE = Weights(general=0.3, named=2.0)
"""For a list without authors, such as the verses of a book. Tried on dev: `general` from 0 to 1."""

DESCRIBED = Weights(own=0.3, general=0.6, draft=0.6, words=0.6, named=2.0)
"""For a list with authors. Tried on uses of famous lines in news: each from 0 to 1, `named` from 0 to 3."""
