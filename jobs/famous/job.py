"""Rank the quotes of a list by how well they fit into the gap between two texts.

Source: "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from indexer.characters import normalise
from jobs.famous.encoding import Floats, QuoteEncoder, cut_sides
from jobs.famous.quote_list import GAP, QuoteList
from rostrum_core.deadline import check_deadline
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import QuoteFilter, RankedQuote

ANY = QuoteFilter()
BATCH_GAPS = 128
"""Gaps that are sent to the workers at once, so that other requests get their turn between two batches."""

UNRELATED = np.float32(1e-3)
"""Added to the similarity of earlier uses before taking the logarithm, so that small values hardly differ."""


@dataclass(frozen=True, slots=True)
class GapContext:
    """Hold the text before and after a gap, the place of a missing quote; one of the texts may be empty.

    `id` names the gap among several; it is empty for a single request.
    """

    id: str
    left: str
    right: str


def make_gap(identity: str, left: str, right: str) -> GapContext:
    """Return the gap between two texts.

    If `right` is empty, the gap is at the mark `[quote]` in `left`, or at the end of `left` if it has no
    mark.

    >>> make_gap("1", "As they say, [quote], and so it was.", "")
    GapContext(id='1', left='As they say, ', right=', and so it was.')
    """
    if not right.strip():
        left, *rest = GAP.split(left, maxsplit=1)
        right = "".join(rest)
    return GapContext(identity, left, right)


def normalise_gap(gap: GapContext) -> GapContext:
    r"""Return the gap with the characters of its texts normalised like those of quotes and speeches.

    If its right text is invisible, the gap is located as `make_gap` does.

    >>> normalise_gap(GapContext("1", "The presi\u00addent, [quote], he said.", "\u200b"))
    GapContext(id='1', left='The president, ', right=', he said.')
    """
    return make_gap(gap.id, normalise(gap.left), normalise(gap.right))


def rank_quotes(
    contexts: Sequence[GapContext],
    listed: QuoteList,
    encoder: QuoteEncoder,
    *,
    limit: int,
    filter: QuoteFilter = ANY,
    timeout_s: float,
) -> list[tuple[RankedQuote, ...]]:
    """Return the `limit` best quotes of a list for each gap, best first. Equal scores stay in list order.

    The filter is applied after scoring, so scores do not depend on it. `timeout_s` applies to each batch of
    `BATCH_GAPS` gaps.

    Raises:
        BadInput: a context has no text on either side, or `limit` is below 1.
        TaskError: the contexts of a batch were not encoded in time.
        DeadlineExceeded: the deadline of the request has passed.
    """
    if limit < 1:
        raise BadInput("limit: at least 1", field="limit")
    for context in contexts:
        if not (context.left.strip() or context.right.strip()):
            which = f"context {context.id}: " if context.id else ""
            raise BadInput(f"{which}no text on either side of the gap", field="left")
    admitted = listed.select(filter)
    rankings = []
    for first in range(0, len(contexts), BATCH_GAPS):
        batch = contexts[first : first + BATCH_GAPS]
        for scores in _score_batch(batch, listed, encoder, timeout_s):
            best = enumerate(admitted[list_best(scores[admitted], limit)], 1)
            ranking = (RankedQuote(rank, float(scores[at]), listed.quotes[at]) for rank, at in best)
            rankings.append(tuple(ranking))
    return rankings


def _score_batch(
    contexts: Sequence[GapContext], listed: QuoteList, encoder: QuoteEncoder, timeout_s: float
) -> Iterator[Floats]:
    """Yield for each gap the score of each quote of a list, float32 (quotes,)."""
    sides = [(context.left, context.right) for context in contexts]
    gaps = encoder.encode_gaps(sides, draft=bool(listed.weights.draft), timeout_s=timeout_s)
    check_deadline("famous quotes")
    for at, context in enumerate(contexts):
        draft = None if gaps.draft is None else gaps.draft[at]
        yield score_quotes(context, listed, gaps.own[at], gaps.general[at], draft)


def score_quotes(
    context: GapContext, listed: QuoteList, own: Floats, general: Floats, draft: Floats | None
) -> Floats:
    """Return the score of each quote of a list for a gap, float32 (quotes,).

    The score is a weighted sum of z-scores: of the similarities of vectors, of shared words, and of earlier
    uses. A quote whose source is named near the gap gets a bonus. `own`, `general` and `draft` are the
    vectors of the gap (see `Vectors`).
    """
    weights, vectors = listed.weights, listed.vectors
    # Row by row in this thread: a product of matrices would wait for threads that the model's keep busy.
    scores = weights.own * standardise(np.vecdot(vectors.own, own))
    scores += weights.general * standardise(np.vecdot(vectors.general, general))
    if draft is not None:
        scores += weights.draft * standardise(np.vecdot(vectors.general, draft))
    near = " ".join(cut_sides(context.left, context.right))
    if weights.words:
        scores += weights.words * standardise(np.log1p(listed.words.score(near)))
    if listed.earlier_uses:
        similar = listed.earlier_uses.score(near)
        scores += weights.uses * standardise(np.log(similar + UNRELATED))
    scores += weights.named * listed.names.find(context.left, context.right)
    return scores


def list_best(scores: Floats, limit: int) -> NDArray[np.intp]:
    """Return the indices of the `limit` best scores, best first. Equal scores stay in order.

    >>> list_best(np.array([1, 3, 2, 3], np.float32), 2).tolist()
    [1, 3]
    """
    places = np.arange(len(scores))
    if limit < len(scores):  # sorting all of them takes seven times as long
        places = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
    return places[np.argsort(-scores[places], kind="stable")[:limit]]


def standardise(scores: Floats) -> Floats:
    """Convert scores to z-scores (mean 0, standard deviation 1); all are zero if the scores are equal.

    >>> standardise(np.array([1.0, 3.0], np.float32)).tolist(), standardise(np.ones(2, np.float32)).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    deviation = float(scores.std()) or 1.0
    standardised: Floats = (scores - scores.mean()) / deviation
    return standardised
