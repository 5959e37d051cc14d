"""Where the next quote begins: mostly right after the last one, of which the draft has the words.

Of the 2,785 training quotes whose draft quotes their speech already, 469 begin with the very next word, and
the share of words that quotes begin with falls by a power of the distance. What is quoted after the place of
the quote tells in the same way where it ends (docs/decisions/0036).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import DraftPieces, word_bounds, word_edges
from reranker.signals.phrases import PHRASE_PIECES, Shared, quoted, shared_phrases
from rostrum_core.types import Placing, Tokens

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Log of how many times likelier a quote begins with a word than where nothing before it is quoted, from the
# training pairs; docs/lab/quality.md has the counts.
NEXT_LIFT = 7.1
FURTHER_LIFT, DECAY = 5.7, 0.75
QUOTED_LIFT = -2.0  # 1.9 were counted; 1.9 to -5 tried on dev, where less orders better


def already_quoted(
    draft: DraftPieces,
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    documents: Sequence[str],
    ordinals: Sequence[int],
) -> tuple[list[float], list[float], list[Placing | None]]:
    """What a draft quotes of the documents of n paragraphs: their `quoted`, `follows`, and `Placing`.

    `quoted` is that of `reranker.signals.phrases`. `follows` is the log-likelihood ratio that the next
    quote is in a paragraph, because of where that stands; it is 0 where nothing of its document is
    quoted. `Placing` says where each piece stands, and is `None` there. Paragraphs that are not among
    these count with the mean length of those of their document that are.
    """
    before, after = (shared_phrases(part, [each.ids for each in tokens]) for part in draft)
    members: dict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(texts)), key=lambda i: ordinals[i]):
        members[documents[i]].append(i)
    follows: list[float] = [0.0] * len(texts)
    placings: list[Placing | None] = [None] * len(texts)
    for document in {documents[i] for i in np.unique(np.concatenate([before.owners, after.owners]))}:
        some = members[document]
        edges = [word_edges(word_bounds(texts[i]), tokens[i]) for i in some]
        said, said_later = ([_held(shared, i, len(tokens[i])) for i in some] for shared in (before, after))
        placed = _placed(edges, said, said_later, [ordinals[i] for i in some])
        for i, (begins, _), placing in zip(some, edges, placed, strict=True):
            follows[i], placings[i] = _follows(placing, begins), placing
    return quoted([before, after], documents), follows, placings


def _held(shared: Shared, paragraph: int, count: int) -> Mask:
    """Which of a paragraph's pieces stand in one of the phrases."""
    firsts = shared.firsts[slice(*np.searchsorted(shared.owners, [paragraph, paragraph + 1]))]
    held = np.zeros(count, bool)
    held[np.add.outer(firsts, np.arange(PHRASE_PIECES)).ravel()] = True
    return held


def _placed(
    edges: Sequence[tuple[Mask, Mask]],
    said: Sequence[Mask],
    said_later: Sequence[Mask],
    ordinals: Sequence[int],
) -> list[Placing]:
    """The placing of a document's paragraphs, given which pieces begin and end words, and are quoted."""
    sizes = [len(begins) for begins, _ in edges]
    words = np.array([begins.sum() for begins, _ in edges])
    missing = np.array(ordinals) - ordinals[0] - np.arange(len(ordinals))
    skipped = np.repeat(np.rint(missing * words.mean()).astype(np.int64), sizes)
    begins, ends = (np.concatenate(each) for each in zip(*edges, strict=True))
    first, last = np.concatenate(said), np.concatenate(said_later)
    since = _distances(np.cumsum(begins) + skipped, first)
    until = _distances(np.cumsum(ends[::-1]) - skipped[::-1], last[::-1])[::-1]
    since[first | last] = until[first | last] = Placing.QUOTED
    stops = np.cumsum(sizes)[:-1]
    return [Placing(*both) for both in zip(np.split(since, stops), np.split(until, stops), strict=True)]


def _distances(places: Integers, quoted: Mask) -> NDArray[np.int32]:
    """Words between each piece and the last quoted one before it; `places` count words: int32 (n,)."""
    last = np.maximum.accumulate(np.where(quoted, np.arange(len(places)), -1))
    between = np.maximum(places - places[last] - 1, 0)
    return np.where(last < 0, Placing.NOTHING, between).astype(np.int32)


def _follows(placing: Placing, begins: Mask) -> float:
    if not begins.any():
        return 0.0
    lifts = log_lift(placing.words_since) + log_lift(placing.words_until)
    lifts[placing.words_since == Placing.QUOTED] = QUOTED_LIFT
    return float(np.log(np.mean(np.exp(lifts[begins]))))


def log_lift(distances: NDArray[np.int32]) -> Floats:
    """Log of how many times likelier a quote begins, or ends, so many words from a quoted one: float64 (n,).

    >>> log_lift(np.array([0, 1, 10, Placing.QUOTED, Placing.NOTHING])).round(1).tolist()
    [7.1, 5.7, 4.0, -2.0, 0.0]
    """
    further = FURTHER_LIFT - DECAY * np.log(np.maximum(distances, 1))
    lift = np.where(distances == 0, NEXT_LIFT, further)
    special = [distances == Placing.QUOTED, distances == Placing.NOTHING]
    found: Floats = np.select(special, [QUOTED_LIFT, 0.0], lift)
    return found


def span_lifts(placing: Placing, begins: Integers, ends: Integers) -> Floats:
    """Log of how many times likelier each span from a piece of `begins` to one of `ends` is: (begins, ends).

    A span that has in it what the draft quotes already is as likely as what it quotes.
    """
    held = np.concatenate([[0], np.cumsum(placing.words_since == Placing.QUOTED)])
    repeats = held[ends + 1] > held[begins][:, None]
    lifts = log_lift(placing.words_since[begins])[:, None] + log_lift(placing.words_until[ends])
    return np.where(repeats, QUOTED_LIFT, lifts)
