"""Rank the quotes of a list for the gap between two texts.

Source: "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jobs.famous.encoding import Floats, QuoteEncoder, cut_sides
from jobs.famous.quote_list import GAP, QuoteList
from rostrum_core.deadline import check_deadline
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import QuoteFilter, RankedQuote

ANY = QuoteFilter()
UNRELATED = np.float32(1e-3)
"""Added to the similarity of earlier uses before its logarithm: smaller ones do not differ."""


@dataclass(frozen=True, slots=True)
class GapContext:
    """The text before and after a gap; one of them may be empty. A gap that is asked alone has no id."""

    id: str
    left: str
    right: str


def make_gap(identity: str, left: str, right: str) -> GapContext:
    """Return the gap between two texts; if there is no right one, the left one may have a gap of its own.

    >>> make_gap("1", "As they say, [quote], and so it was.", "")
    GapContext(id='1', left='As they say, ', right=', and so it was.')
    """
    if not right.strip():
        left, *rest = GAP.split(left, maxsplit=1)
        right = "".join(rest)
    return GapContext(identity, left, right)


def rank_quotes(
    contexts: Sequence[GapContext],
    listed: QuoteList,
    encoder: QuoteEncoder,
    *,
    limit: int,
    filter: QuoteFilter = ANY,
    timeout_s: float,
) -> list[tuple[RankedQuote, ...]]:
    """Return the `limit` best quotes for each context, best first, equal scores in the order of the list.

    Scores are comparable with any filter, which chooses after the scoring.

    Raises:
        BadInput: a context has no text on either side, or `limit` is below 1.
        TaskError: the contexts were not encoded in time.
        DeadlineExceeded: the deadline of the request has passed.
    """
    if limit < 1:
        raise BadInput("limit: at least 1", field="limit")
    for context in contexts:
        if not (context.left.strip() or context.right.strip()):
            which = f"context {context.id}: " if context.id else ""
            raise BadInput(f"{which}no text on either side of the gap", field="left")
    if not contexts:
        return []
    admitted = listed.select(filter)
    sides = [(context.left, context.right) for context in contexts]
    gaps = encoder.encode_gaps(sides, draft=bool(listed.weights.draft), timeout_s=timeout_s)
    check_deadline("famous quotes")
    rankings = []
    for at, context in enumerate(contexts):
        draft = None if gaps.draft is None else gaps.draft[at]
        scores = score_quotes(context, listed, gaps.own[at], gaps.general[at], draft)
        best = admitted[np.argsort(-scores[admitted], kind="stable")[:limit]]
        rankings.append(
            tuple(RankedQuote(rank, float(scores[at]), listed.quotes[at]) for rank, at in enumerate(best, 1))
        )
    return rankings


def score_quotes(
    context: GapContext, listed: QuoteList, own: Floats, general: Floats, draft: Floats | None
) -> Floats:
    """Return the score of each quote: a weighted sum of z-scores, float32 (quotes,)."""
    weights, vectors = listed.weights, listed.vectors
    scores = weights.own * standardise(vectors.own @ own)
    if draft is None:
        scores += weights.general * standardise(vectors.general @ general)
    else:  # one product: reading the matrix from memory is what takes the time
        paragraph_scores, draft_scores = (vectors.general @ np.stack([general, draft], axis=1)).T
        scores += weights.general * standardise(paragraph_scores)
        scores += weights.draft * standardise(draft_scores)
    near = " ".join(cut_sides(context.left, context.right))
    if weights.words:
        scores += weights.words * standardise(np.log1p(listed.words.score(near)))
    if listed.earlier_uses:
        similar = listed.earlier_uses.score(near)
        scores += weights.uses * standardise(np.log(similar + UNRELATED))
    scores += weights.named * listed.names.find(context.left, context.right)
    return scores


def standardise(scores: Floats) -> Floats:
    """Return z-scores; zeros where all scores are the same.

    >>> standardise(np.array([1.0, 3.0], np.float32)).tolist(), standardise(np.ones(2, np.float32)).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    deviation = float(scores.std()) or 1.0
    standardised: Floats = (scores - scores.mean()) / deviation
    return standardised
