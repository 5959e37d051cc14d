"""Predict the position of the next quote: it mostly follows right after the previous one from the same
speech.

Of the 2,785 training quotes whose draft already quotes their speech, 469 begin with the very next word. The
probability that a quote begins falls with a power of the distance in words. Words quoted after the place of
the quote predict its end in the same way (docs/decisions/0036).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import DraftPieces, find_word_bounds, mark_word_edges
from reranker.signals.phrases import PHRASE_PIECES, Shared, count_quoted, find_shared
from reranker.signals.signal import Context, Signal
from rostrum_core.candidates import Candidates
from rostrum_core.types import Paragraph, Placing, Tokens

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Log-likelihood ratio that a quote begins with a word, against words with nothing quoted before them. Counted
# in the training pairs; docs/lab/quality.md has the counts.
NEXT_LIFT = 7.1
FURTHER_LIFT, DECAY = 5.7, 0.75
QUOTED_LIFT = -2.0  # 1.9 was counted; of 1.9 to -5 tried on dev, lower values ranked better


@dataclass(frozen=True, eq=False, slots=True)
class QuotedWords:
    """Hold which words of its n candidates' documents a draft already quotes.

    `quoted` (n,) is the result of `count_quoted`. `follows` (n,) is the log-likelihood ratio that the next
    quote is in a paragraph, by its position; 0 if its document is not quoted. `placings` give, by row, each
    piece's distance from quoted words, for documents that are quoted.
    """

    quoted: Floats
    follows: Floats
    placings: Mapping[int, Placing]


def find_quoted(draft: DraftPieces, candidates: Candidates) -> QuotedWords:
    """Find which words of its candidates' documents a draft already quotes.

    Paragraphs that are not candidates are assumed to have the mean length of their document's candidates.
    """
    shared = [find_shared(part, candidates.piece_ids, candidates.piece_ends) for part in draft]
    follows = np.zeros(len(candidates))
    placings: dict[int, Placing] = {}
    for document in np.unique(np.concatenate([candidates.owners[part.owners] for part in shared])):
        rows = range(*np.searchsorted(candidates.owners, [document, document + 1]).tolist())
        speech = _join(candidates.read(rows), candidates.ordinals[rows.start : rows.stop])
        placing = _place(speech, *(_mark(part, rows, speech) for part in shared))
        follows[rows.start : rows.stop] = _follow(placing, speech)
        bounds = zip(speech.stops - speech.sizes, speech.stops, strict=True)
        placings |= {row: placing.cut(*cut) for row, cut in zip(rows, bounds, strict=True)}
    return QuotedWords(count_quoted(shared, candidates.owners), follows, placings)


@dataclass(frozen=True, eq=False, slots=True)
class _Speech:
    """Hold the n candidates of a document as one sequence of WordPieces: `sizes` and `stops` (n,) count
    pieces.

    `begins` and `ends` mark the pieces that begin and end a word. `skipped` is the number of words before
    each piece in paragraphs that are not candidates.
    """

    sizes: Integers
    stops: Integers
    begins: Mask
    ends: Mask
    skipped: Integers


def _join(paragraphs: Sequence[tuple[Paragraph, Tokens]], ordinals: Integers) -> _Speech:
    texts = [paragraph.text for paragraph, _ in paragraphs]
    sizes = np.array([len(tokens) for _, tokens in paragraphs], np.int64)
    lengths = np.array([len(text) + 1 for text in texts], np.int64)  # no word continues over a line's end
    first_chars = np.repeat(np.cumsum(lengths) - lengths, sizes).astype(np.int32)
    starts, stops = (
        np.concatenate([getattr(tokens, name) for _, tokens in paragraphs]) + first_chars
        for name in ("starts", "ends")
    )
    begins, ends = mark_word_edges(find_word_bounds("\n".join(texts)), Tokens(starts, starts, stops))
    missing = ordinals - ordinals[0] - np.arange(len(ordinals))
    mean_words = begins.sum() / len(sizes)
    skipped = np.repeat(np.rint(missing * mean_words).astype(np.int64), sizes)
    return _Speech(sizes, np.cumsum(sizes), begins, ends, skipped)


def _mark(shared: Shared, rows: range, speech: _Speech) -> Mask:
    """Mark the pieces of a speech that belong to a shared phrase."""
    matches = slice(*np.searchsorted(shared.owners, [rows.start, rows.stop]))
    begins = (speech.stops - speech.sizes)[shared.owners[matches] - rows.start]
    marked = np.zeros(len(speech.begins), bool)
    marked[np.add.outer(begins + shared.firsts[matches], np.arange(PHRASE_PIECES)).ravel()] = True
    return marked


def _place(speech: _Speech, said: Mask, said_later: Mask) -> Placing:
    """Return the placing of a speech's pieces, given those quoted before and after the draft's gap."""
    since = _measure_distances(np.cumsum(speech.begins) + speech.skipped, said)
    backwards = np.cumsum(speech.ends[::-1]) - speech.skipped[::-1]
    until = _measure_distances(backwards, said_later[::-1])[::-1]
    since[said | said_later] = until[said | said_later] = Placing.QUOTED
    return Placing(since, until)


def _measure_distances(places: Integers, quoted: Mask) -> NDArray[np.int32]:
    """Return for each piece the number of words since the last quoted piece before it, int32 (n,)."""
    last = np.maximum.accumulate(np.where(quoted, np.arange(len(places)), -1))
    between = np.maximum(places - places[last] - 1, 0)
    return np.where(last < 0, Placing.NOTHING, between).astype(np.int32)


def _follow(placing: Placing, speech: _Speech) -> Floats:
    """Return the log of the mean likelihood ratio of each paragraph's words; 0 for a paragraph without
    words.
    """
    words = np.flatnonzero(speech.begins)
    since, until = placing.words_since[words], placing.words_until[words]
    lifts = np.where(since == Placing.QUOTED, QUOTED_LIFT, compute_lift(since) + compute_lift(until))
    owners = np.searchsorted(speech.stops, words, side="right")
    counts = np.bincount(owners, minlength=len(speech.sizes))
    sums = np.bincount(owners, np.exp(lifts), minlength=len(speech.sizes))
    means: Floats = np.log(np.where(counts > 0, sums, 1.0) / np.maximum(counts, 1))
    return means


def compute_lift(distances: NDArray[np.int32]) -> Floats:
    """Return the log-likelihood ratio that a quote begins, or ends, at these distances in words from a quoted
    word, float64 (n,).

    >>> compute_lift(np.array([0, 1, 10, Placing.QUOTED, Placing.NOTHING])).round(1).tolist()
    [7.1, 5.7, 4.0, -2.0, 0.0]
    """
    further = FURTHER_LIFT - DECAY * np.log(np.maximum(distances, 1))
    lift = np.where(distances == 0, NEXT_LIFT, further)
    lift[distances == Placing.QUOTED] = QUOTED_LIFT
    lift[distances == Placing.NOTHING] = 0.0
    return lift


def compute_span_lifts(placing: Placing, begins: Integers, ends: Integers) -> Floats:
    """Return the log-likelihood ratio of each span that begins at one of `begins` and ends at one of `ends`:
    (begins, ends).

    A span with words that the draft already quotes has the ratio of those words.
    """
    repeated = np.concatenate([[0], np.cumsum(placing.words_since == Placing.QUOTED)])
    repeats = repeated[ends + 1] > repeated[begins][:, None]
    lifts = compute_lift(placing.words_since[begins])[:, None] + compute_lift(placing.words_until[ends])
    return np.where(repeats, QUOTED_LIFT, lifts)


def read_quoted(context: Context) -> QuotedWords | None:
    """Return which words of its candidates' documents the draft quotes; `None` if the draft has no
    WordPieces.
    """
    return None if context.pieces is None else find_quoted(context.pieces, context.candidates)


def _score_quoted(context: Context) -> Floats | None:
    words = context.compute(read_quoted)
    return None if words is None else words.quoted


def _score_follows(context: Context) -> Floats | None:
    words = context.compute(read_quoted)
    return None if words is None else words.follows


QUOTED = Signal("quoted", "how much of the speech the draft quotes", "z", "document", _score_quoted)
FOLLOWS = Signal("follows", "where what is quoted already stands", "log", "paragraph", _score_follows)
