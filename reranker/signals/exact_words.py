"""Match the words of a short query exactly: a person who types remembered words wants those words.

BM25 knows stems and no order, vectors know neither. Here a paragraph is compared word by word, ignoring
case, apostrophes and punctuation. Each word counts by its rarity among the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.candidates import Candidates, Integers
from rostrum_core.types import Draft

SHORT_WORDS = 12
"""Most words of title and text together in a query, as opposed to a draft."""

COMPARED = 200
"""Candidates to compare word by word: those with the rarest WordPieces of the query."""

APOSTROPHES = re.compile(r"(?<=\w)['’‘ʼ](?=\w)")
WORD = re.compile(r"[^\W_]+")
QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
LEAST_RARITY = 0.1
SOUGHT = 0.6
"""Minimum score of a paragraph that a query seeks. Headlines, which are as short, have less of what they
quote.
"""

WHOLE = 1.0
"""Bonus for a text that has the whole query in a row; it outweighs any sum of other words and neighbours."""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without apostrophes.

    >>> split_words("Don't tear down THIS wall!")
    ['dont', 'tear', 'down', 'this', 'wall']
    """
    return WORD.findall(APOSTROPHES.sub("", text.casefold()))


def is_query(draft: Draft) -> bool:
    """Return whether a draft is a query: of few words, and without text after the place of the quote.

    >>> is_query(Draft(left="tear down this wall")), is_query(Draft(left="He said", right="in Berlin."))
    (True, False)
    """
    words = split_words(f"{draft.title} {draft.left}")
    return 0 < len(words) <= SHORT_WORDS and not draft.right.strip()


def read_query(context: Context) -> list[str] | None:
    """Return the words of a draft that is a query; `None` for any other."""
    draft = context.draft
    return split_words(f"{draft.title} {draft.left}") if is_query(draft) else None


def read_required(context: Context) -> list[list[str]]:
    """Return the words in quotation marks of a query, which are required."""
    if context.compute(read_query) is None:
        return []
    quoted = QUOTED.findall(f"{context.draft.title}\n{context.draft.left}")
    return [words for words in map(split_words, quoted) if words]


def score_words(asked: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    """Return how much of a query a text has: half for its words, half for its longest run of them.

    Words count by their `rarity`. All words in a row and in order score 1, plus `WHOLE`.

    >>> rarity, texts = {"fear": 1.0, "itself": 1.0}, ["is fear itself", "itself fear", "a"]
    >>> [score_words(["fear", "itself"], rarity, text.split()) for text in texts]
    [2.0, 0.75, 0.0]
    """
    total = sum(rarity[word] for word in asked)
    has = set(words)
    covered = sum(rarity[word] for word in asked if word in has)
    if not covered:
        return 0.0
    share = (covered + _weigh_longest_run(asked, rarity, words)) / (2 * total)
    return share + WHOLE * (f" {' '.join(asked)} " in f" {' '.join(words)} ")


def _weigh_longest_run(asked: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(asked):
        places.setdefault(word, []).append(at)
    best = 0.0
    ending: dict[int, float] = {}
    for word in words:  # weights of the runs that end with this word, by its position in the query
        ending = {at: ending.get(at - 1, 0.0) + rarity[word] for at in places.get(word, ())}
        best = max(best, *ending.values()) if ending else best
    return best


def compare_words(context: Context) -> dict[int, list[str]]:
    """Return the words of the candidates that have most of the WordPieces of a query, by row."""
    if context.pieces is None or not len(context.candidates):
        return {}
    found = context.candidates
    weights = np.zeros(len(found))
    for piece in np.unique(context.pieces.before):
        at = np.flatnonzero(found.piece_ids == piece)
        rows = np.unique(np.searchsorted(found.piece_ends, at, side="right"))
        weights[rows] += np.log(1 + len(found) / max(len(rows), 1))
    rows = np.sort(np.argsort(-weights, kind="stable")[:COMPARED]).tolist()
    read = found.read(rows)
    return {row: split_words(paragraph.text) for row, (paragraph, _) in zip(rows, read, strict=True)}


def _score_exact(context: Context) -> Floats | None:
    asked = context.compute(read_query)
    if asked is None or context.pieces is None:
        return None
    texts = context.compute(compare_words)
    having = [set(words) for words in texts.values()]
    counts = {word: sum(word in words for words in having) for word in asked}
    count = max(len(context.candidates), 2)
    rarity = {word: max(LEAST_RARITY, float(np.log(count / (1 + n)))) for word, n in counts.items()}
    scores = np.zeros(len(context.candidates))
    for row, words in texts.items():
        scores[row] = score_words(asked, rarity, words)
    return scores


def has_words(found: Candidates) -> bool:
    """Return whether a candidate has most of a query's words; if none has, the query is read as a draft."""
    exact = found.columns.get("exact")
    return exact is not None and bool((exact >= SOUGHT).any())


def find_required(context: Context) -> Integers | None:
    """Return the rows that have all required words; `None` if none are required, or no candidate has them."""
    required = context.compute(read_required)
    if not required:
        return None
    texts = context.compute(compare_words)
    lines = [f" {' '.join(words)} " for words in required]
    rows = [row for row, words in texts.items() if all(line in f" {' '.join(words)} " for line in lines)]
    return np.array(rows, np.int64) if rows else None


EXACT = Signal("exact", "the words asked for, in order", "log", "paragraph", _score_exact)
