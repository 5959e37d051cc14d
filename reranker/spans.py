"""Choose the words of a paragraph to quote: the span of whole words with the best score.

The model gives each piece of a word a start logit and an end logit. The score of a span is the start logit of
its first piece plus the end logit of its last piece.

Source: this sum, S.T_i + E.T_j with j >= i, is that of "Context-Based Quotation Recommendation" (ICWSM 2021).
There, start and end are independent, and the best sum gives spans twice as long as quotes are. So a prior of
the length is added here (docs/decisions/0031). The start and end logits also depend little on what the
draft already quotes. But if the draft quotes the same speech, the span should follow the quoted words
(docs/decisions/0036).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import find_word_bounds, mark_word_edges
from reranker.signals.following import compute_span_lifts
from rostrum_core.types import Placing, Span, Tokens

QUOTE_LOG_WORDS, QUOTE_LOG_SPREAD = 2.76, 0.61  # mean and deviation of log(words) of 5,189 training quotes
LENGTH_WEIGHT = 0.3  # 0.1 to 0.5 tried on dev
FOLLOWING_WEIGHT = 0.75  # 0.5 to 1.25 tried on dev


def choose_span(
    text: str,
    tokens: Tokens,
    edges: NDArray[np.float32],
    length_weight: float = LENGTH_WEIGHT,
    placing: Placing | None = None,
) -> Span:
    """Return the span of a text with the highest score.

    The score is start logit + end logit + `length_weight` * length prior. `edges` float32 (n, 2) has the
    start and end logit of each piece. The length prior is the log density of the span's number of words. If
    `placing` is set, it has the distance of each piece from words that the draft already quotes. The weighted
    log-likelihood ratio of a quote at that distance is then added to the score. Of spans with equal scores,
    the earlier span is chosen, and after that the shorter one. For a text without a word, the span is the
    whole text, and its score is the sum of the lowest logits.

    >>> tokens = Tokens(*(np.array(x, np.int32) for x in ([7, 8, 9], [0, 3, 7], [2, 6, 13])))
    >>> choose_span("We the people", tokens, np.array([[1, 0], [2, 0], [0, 3]], np.float32), length_weight=0)
    Span(start_char=3, end_char=13, score=5.0, warnings=(), printability=None, ready=None)
    """
    return choose_spans([text], [tokens], [edges], length_weight, [placing])[0]


def choose_spans(
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    edges: Sequence[NDArray[np.float32]],
    length_weight: float = LENGTH_WEIGHT,
    placings: Sequence[Placing | None] | None = None,
) -> list[Span]:
    """Return the span to quote from each text, as `choose_span` does.

    The words of all texts are located in one pass.
    """
    words = _locate_words(texts, tokens)
    most = max((len(located.begins) for located in words), default=0)
    prior = length_weight * compute_length_prior(np.arange(1, most + 1)).astype(np.float32)
    rows = zip(texts, words, edges, placings or [None] * len(texts), strict=True)
    return [
        _choose_words(located, logits, prior, placing) or _choose_whole(text, logits)
        for text, located, logits, placing in rows
    ]


@dataclass(frozen=True, slots=True)
class _Words:
    """Hold the positions of a text's words.

    `begins` has the indices of the WordPieces that begin a word, `starts` the code points at which these
    words begin. `ends` has the indices of the WordPieces that end a word, `stops` the code points after these
    words.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]


def _locate_words(texts: Sequence[str], tokens: Sequence[Tokens]) -> list[_Words]:
    """Return the positions of the words of each text.

    All texts are joined by line breaks and searched in one pass.
    """
    chars = np.cumsum([0, *(len(text) + 1 for text in texts)])
    pieces = np.cumsum([0, *map(len, tokens)])
    shifts = np.repeat(chars[:-1], np.diff(pieces))
    ids, firsts, lasts = (
        np.concatenate([getattr(one, name) for one in tokens]) if tokens else np.empty(0, np.int32)
        for name in ("ids", "starts", "ends")
    )
    joined = Tokens(ids, firsts + shifts, lasts + shifts)
    bounds = find_word_bounds("\n".join(texts))
    begins, ends = (np.flatnonzero(mask) for mask in mark_word_edges(bounds, joined))
    # Of the words alone: a piece may include a sign next to one.
    starts = bounds[np.searchsorted(bounds[:, 0], joined.starts[begins]), 0]
    stops = bounds[np.searchsorted(bounds[:, 1], joined.ends[ends], side="right") - 1, 1]
    first_cuts, last_cuts = (np.searchsorted(edges, pieces) for edges in (begins, ends))
    return [
        _Words(
            begins[first_cuts[i] : first_cuts[i + 1]] - pieces[i],
            ends[last_cuts[i] : last_cuts[i + 1]] - pieces[i],
            starts[first_cuts[i] : first_cuts[i + 1]] - chars[i],
            stops[last_cuts[i] : last_cuts[i + 1]] - chars[i],
        )
        for i in range(len(texts))
    ]


def _choose_words(
    words: _Words, edges: NDArray[np.float32], prior: NDArray[np.float32], placing: Placing | None
) -> Span | None:
    """Return the span of whole words with the greatest score (see `choose_span`).

    Return `None` if the text has no word. `edges` (n, 2) has the start and end logits of the pieces. The
    weighted length prior of a span of k words is `prior[k - 1]`.
    """
    counts = np.searchsorted(words.starts, words.stops) - np.arange(len(words.starts))[:, None]
    if not (counts > 0).any():
        return None
    sums = edges[words.begins, 0][:, None] + edges[words.ends, 1] + prior[np.maximum(counts, 1) - 1]
    if placing is not None:
        sums += FOLLOWING_WEIGHT * compute_span_lifts(placing, words.begins, words.ends).astype(np.float32)
    sums[counts <= 0] = -np.inf
    first, last = np.unravel_index(int(np.argmax(sums)), sums.shape)
    return Span(int(words.starts[first]), int(words.stops[last]), float(sums[first, last]))


def compute_length_prior(words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the log density of quotes with these numbers of words, without its constant.

    The density is log-normal; its parameters are those of the training quotes. The result has the shape of
    `words`.

    >>> compute_length_prior(np.array([5, 11, 15, 40])).round(1).tolist()
    [-3.4, -2.6, -2.7, -4.8]
    """
    log_words = np.log(words)
    density: NDArray[np.float64] = -(((log_words - QUOTE_LOG_WORDS) / QUOTE_LOG_SPREAD) ** 2) / 2 - log_words
    return density


def _choose_whole(text: str, edges: NDArray[np.float32]) -> Span:
    stripped = text.strip() or text
    start = text.index(stripped)
    worst = float(edges.min(axis=0).sum()) if len(edges) else -20.0
    return Span(start, start + len(stripped), worst)
