"""Predict where the next quote is: it often follows right after the last quote from the same speech.

Of the training drafts, 2,785 already quote the speech that they quote next. In 469 of them, the next quote
begins with the word right after the words already quoted. The farther a word is from these words, the less
likely the quote begins with it (a power law). If the draft also quotes the speech after the place of the next
quote, the end of the next quote is predicted in the same way (docs/decisions/0036).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import DraftPieces, find_word_bounds, mark_word_edges
from reranker.signals.phrases import PHRASE_PIECES, SharedPhrases, count_quoted, find_shared, weigh_documents
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

REPEATED_LIFT = -12.0
"""Log-likelihood ratio of a span of which more than half is quoted or retold already.

Rows of dev have no such quote, because their makers left out what the draft has. The value only has to
outweigh the logits.
"""

MOST_QUOTED = 16
"""Number of documents whose texts are read: those that share the rarest phrases with the draft. Of 150 drafts
of dev that share a phrase with the speech that they quote, that speech is among the first 16 of all, and
among the first 8 of 147.
"""


@dataclass(frozen=True, eq=False, slots=True)
class QuotedWords:
    """Hold how much of the documents of n candidate paragraphs a draft already quotes, and where.

    `quoted` (n,) has the amount that the draft quotes of each candidate's document (see `count_quoted`).
    `follows` (n,) has the log-likelihood ratio that the next quote is in the candidate. It depends on the
    candidate's distance from the quoted words, and is 0 if its document is not quoted. `placings` has, by row
    number, the distance of each WordPiece of the candidate from the quoted words. `follows` and `placings`
    are computed only for the documents that the draft quotes most, `MOST_QUOTED` of them.
    """

    quoted: Floats
    follows: Floats
    placings: Mapping[int, Placing]


def find_quoted(draft: DraftPieces, candidates: Candidates) -> QuotedWords:
    """Find the words that a draft already quotes from the documents of the candidates (paragraphs).

    Only candidates are read. To measure distances in a document, each of its other paragraphs is assumed to
    have the mean length of its candidates.
    """
    shared = [find_shared(part, candidates.piece_ids, candidates.piece_ends) for part in draft]
    weights = weigh_documents(shared, candidates.owners)
    documents = np.argsort(-weights, kind="stable")[:MOST_QUOTED]
    rows = np.flatnonzero(np.isin(candidates.owners, documents[weights[documents] > 0]))
    shared_there = [part.select(np.isin(part.owners, rows)) for part in shared]
    follows = np.zeros(len(candidates))
    placings: dict[int, Placing] = {}
    if len(rows):
        speeches = _join(candidates.read(rows.tolist()), candidates.owners[rows], candidates.ordinals[rows])
        placing = _place(speeches, *(_mark(part, rows, speeches) for part in shared_there))
        follows[rows] = _follow(placing, speeches)
        bounds = zip((speeches.stops - speeches.sizes).tolist(), speeches.stops.tolist(), strict=True)
        placings = {row: placing.cut(*cut) for row, cut in zip(rows.tolist(), bounds, strict=True)}
    return QuotedWords(count_quoted(shared, candidates.owners), follows, placings)


@dataclass(frozen=True, eq=False, slots=True)
class _Speeches:
    """Hold the n candidates of several documents as one sequence of WordPieces.

    `sizes` (n,) are the candidates' numbers of pieces, `stops` (n,) the positions in the sequence at which
    the candidates end. The other arrays have an element for each piece. `begins` and `ends` mark the pieces
    that begin and end a word. `documents` has the number of the piece's document. `skipped` estimates how
    many words of that document stand before the piece in paragraphs that are not candidates.
    """

    sizes: Integers
    stops: Integers
    begins: Mask
    ends: Mask
    skipped: Integers
    documents: Integers


def _join(paragraphs: Sequence[tuple[Paragraph, Tokens]], owners: Integers, ordinals: Integers) -> _Speeches:
    texts = [paragraph.text for paragraph, _ in paragraphs]
    sizes = np.array([len(tokens) for _, tokens in paragraphs], np.int64)
    lengths = np.array([len(text) + 1 for text in texts], np.int64)  # no word continues over a line's end
    first_chars = np.repeat(np.cumsum(lengths) - lengths, sizes).astype(np.int32)
    starts, stops = (
        np.concatenate([getattr(tokens, name) for _, tokens in paragraphs]) + first_chars
        for name in ("starts", "ends")
    )
    begins, ends = mark_word_edges(find_word_bounds("\n".join(texts)), Tokens(starts, starts, stops))
    _, firsts, documents, counts = np.unique(
        owners, return_index=True, return_inverse=True, return_counts=True
    )
    of_pieces = np.repeat(documents, sizes)
    mean_words = np.bincount(of_pieces, begins, minlength=len(firsts)) / counts
    missing = ordinals - ordinals[firsts][documents] - (np.arange(len(owners)) - firsts[documents])
    skipped = np.repeat(np.rint(missing * mean_words[documents]).astype(np.int64), sizes)
    return _Speeches(sizes, np.cumsum(sizes), begins, ends, skipped, of_pieces)


def _mark(shared: SharedPhrases, rows: Integers, speeches: _Speeches) -> Mask:
    """Return a mask of the speeches' WordPieces: true for each piece in a phrase that the draft also has.

    `rows` are the row numbers of the candidates in `speeches`.
    """
    begins = (speeches.stops - speeches.sizes)[np.searchsorted(rows, shared.owners)]
    marked = np.zeros(len(speeches.begins), bool)
    marked[np.add.outer(begins + shared.firsts, np.arange(PHRASE_PIECES)).ravel()] = True
    return marked


def _place(speeches: _Speeches, said: Mask, said_later: Mask) -> Placing:
    """Measure how far each WordPiece of the speeches is from words that the draft quotes.

    `said` marks the pieces that the draft quotes before the place of the new quote. `said_later` marks those
    that it quotes after that place.
    """
    documents = speeches.documents
    since = _measure_distances(np.cumsum(speeches.begins) + speeches.skipped, said, documents)
    backwards = np.cumsum(speeches.ends[::-1]) - speeches.skipped[::-1]
    until = _measure_distances(backwards, said_later[::-1], documents[::-1])[::-1]
    since[said | said_later] = until[said | said_later] = Placing.QUOTED
    return Placing(since, until)


def _measure_distances(places: Integers, quoted: Mask, documents: Integers) -> NDArray[np.int32]:
    """Return how many words are between each WordPiece and the last quoted piece before it in its document.

    The result is int32 (n,); `Placing.NOTHING` means that no piece before is quoted. `places` says at which
    word each piece is, `quoted` whether it is quoted, and `documents` in which document it is.
    """
    last = np.maximum.accumulate(np.where(quoted, np.arange(len(places)), -1))
    between = np.maximum(places - places[last] - 1, 0)
    is_before = (last >= 0) & (documents[last] == documents)
    return np.where(is_before, between, Placing.NOTHING).astype(np.int32)


def _follow(placing: Placing, speeches: _Speeches) -> Floats:
    """Return, for each paragraph, a log-likelihood ratio: how likely it is to have the draft's next quote.

    The ratio of a word depends on its distance from the words that the draft already quotes. The ratio of a
    paragraph is the mean over its words. Return the log of this mean; 0 for a paragraph without words.
    """
    words = np.flatnonzero(speeches.begins)
    since, until = placing.words_since[words], placing.words_until[words]
    lifts = np.where(since == Placing.QUOTED, QUOTED_LIFT, compute_lift(since) + compute_lift(until))
    owners = np.searchsorted(speeches.stops, words, side="right")
    counts = np.bincount(owners, minlength=len(speeches.sizes))
    sums = np.bincount(owners, np.exp(lifts), minlength=len(speeches.sizes))
    means: Floats = np.log(np.where(counts > 0, sums, 1.0) / np.maximum(counts, 1))
    return means


def compute_lift(distances: NDArray[np.int32]) -> Floats:
    """Return the log-likelihood ratio that the next quote begins at each of n words, float64 (n,).

    `distances` has the number of words between each word and the last quoted word before it. It is
    `Placing.QUOTED` if the word itself is quoted, and `Placing.NOTHING` if no word before is quoted. With the
    distances to the next quoted word after each word, the result is the ratio that the quote ends there.

    >>> compute_lift(np.array([0, 1, 10, Placing.QUOTED, Placing.NOTHING])).round(1).tolist()
    [7.1, 5.7, 4.0, -2.0, 0.0]
    """
    further = FURTHER_LIFT - DECAY * np.log(np.maximum(distances, 1))
    lift = np.where(distances == 0, NEXT_LIFT, further)
    lift[distances == Placing.QUOTED] = QUOTED_LIFT
    lift[distances == Placing.NOTHING] = 0.0
    return lift


def compute_span_lifts(placing: Placing, begins: Integers, ends: Integers) -> Floats:
    """Return, for each span, the log-likelihood ratio that it is the next quote: float64 (begins, ends).

    Element (i, j) is for the span from WordPiece `begins[i]` to WordPiece `ends[j]`. If the draft already
    quotes a WordPiece of the span, the ratio is `QUOTED_LIFT`. If the draft quotes more than half of them,
    the ratio is `REPEATED_LIFT`, which is much lower.
    """
    repeated = np.concatenate([[0], np.cumsum(placing.words_since == Placing.QUOTED)])
    repeats = repeated[ends + 1] - repeated[begins][:, None]
    lifts = compute_lift(placing.words_since[begins])[:, None] + compute_lift(placing.words_until[ends])
    lifts = np.where(repeats > 0, QUOTED_LIFT, lifts)
    mostly = (repeats > 0) & (2 * repeats > ends + 1 - begins[:, None])
    return np.where(mostly, REPEATED_LIFT, lifts)


def read_quoted(context: Context) -> QuotedWords | None:
    """Return the words that the draft already quotes from the documents of the candidates (paragraphs).

    Return `None` if the draft was not split into WordPieces.
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
