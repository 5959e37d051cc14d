"""Rank the quotes of a list for the gap between two texts.

Source: "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobs.famous.quote_list import Encoders, FamousQuote, QuoteList
from rostrum_core.errors import BadInput

GENERAL_WEIGHT = 0.3
"""Weight of the encoder's z-scores next to the model's. Tried: 0 to 1; figures in docs/lab/famous.md."""

GAP = "[quote]"
"""Where the quote is missing in a draft that is one text."""


@dataclass(frozen=True, slots=True)
class GapContext:
    """The text before and after a gap; one of them may be empty."""

    id: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class RankedQuote:
    """A quote with its score, a sum of z-scores over the list, comparable within one gap only."""

    quote: FamousQuote
    score: float


def split_gap(text: str) -> tuple[str, str]:
    """Return the text before and after the first `[quote]`; a text without one stands before the gap.

    >>> split_gap("As they say, [quote], and so it was.")
    ('As they say, ', ', and so it was.')
    """
    left, _, right = text.partition(GAP)
    return left, right


def rank_quotes(
    contexts: Sequence[GapContext], listed: QuoteList, encoders: Encoders, *, limit: int
) -> list[list[RankedQuote]]:
    """Return the `limit` best quotes for each context, best first, equal scores in the order of the list.

    Raises:
        BadInput: a context has no text on either side, or `limit` is below 1.
    """
    if limit < 1:
        raise BadInput("limit: at least 1", field="limit")
    for context in contexts:
        if not (context.left.strip() or context.right.strip()):
            raise BadInput(f"context {context.id}: no text on either side of the gap", field="left")
    vectors = encoders.famous.encode_contexts([(context.left, context.right) for context in contexts])
    general = encoders.encode_general([f"{context.left} {context.right}" for context in contexts])
    rankings = []
    for own, other in zip(vectors, general, strict=True):
        scores = standardise(listed.vectors @ own) + GENERAL_WEIGHT * standardise(listed.general @ other)
        best = np.argsort(-scores, kind="stable")[:limit]
        rankings.append([RankedQuote(listed.quotes[at], float(scores[at])) for at in best])
    return rankings


def standardise(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return z-scores; zeros where all scores are the same.

    >>> standardise(np.array([1.0, 3.0], np.float32)).tolist(), standardise(np.ones(2, np.float32)).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    deviation = float(scores.std()) or 1.0
    standardised: NDArray[np.float32] = (scores - scores.mean()) / deviation
    return standardised
