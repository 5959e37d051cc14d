"""Match the words of a short query exactly: a person who types remembered words wants those words.

BM25 knows stems and no order, vectors know neither. Here a paragraph is compared word by word, ignoring
case, apostrophes and punctuation. Each word counts by its rarity among the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from reranker.signals.compared_texts import compare_words, measure_rarity, split_words, spread_scores
from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.candidates import Candidates, Integers
from rostrum_core.types import Draft

SHORT_WORDS = 12
"""Most words of title and text together in a query, as opposed to a draft."""

QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
SOUGHT = 0.6
"""Minimum score of a paragraph that a query seeks. Headlines, which are as short, have less of what they
quote.
"""

RARE_NAME = 5.0
"""Minimum of the signal *names* by which a query seeks a name: e^5 is one paragraph of 150."""

WHOLE = 1.0
"""Bonus for a text that has the whole query in a row; it outweighs any sum of other words and neighbours."""


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


def score_words(query_words: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    """Return how much of a query a text has: half for its words, half for its longest run of them.

    Words count by their `rarity`. All words in a row and in order score 1, plus `WHOLE`.

    >>> rarity, texts = {"fear": 1.0, "itself": 1.0}, ["is fear itself", "itself fear", "a"]
    >>> [score_words(["fear", "itself"], rarity, text.split()) for text in texts]
    [2.0, 0.75, 0.0]
    """
    total = sum(rarity[word] for word in query_words)
    has = set(words)
    covered = sum(rarity[word] for word in query_words if word in has)
    if not covered:
        return 0.0
    share = (covered + _weigh_longest_run(query_words, rarity, words)) / (2 * total)
    return share + WHOLE * (f" {' '.join(query_words)} " in f" {' '.join(words)} ")


def _weigh_longest_run(
    query_words: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]
) -> float:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(query_words):
        places.setdefault(word, []).append(at)
    best = 0.0
    ending: dict[int, float] = {}
    for word in words:  # weights of the runs that end with this word, by its position in the query
        ending = {at: ending.get(at - 1, 0.0) + rarity[word] for at in places.get(word, ())}
        best = max(best, *ending.values()) if ending else best
    return best


def _score_exact(context: Context) -> Floats | None:
    query_words = context.compute(read_query)
    if query_words is None or context.pieces is None:
        return None
    texts = context.compute(compare_words)
    rarity = measure_rarity(query_words, texts.values(), len(context.candidates))
    scores = {row: score_words(query_words, rarity, words) for row, words in texts.items()}
    return spread_scores(scores, len(context.candidates))


def has_words(candidates: Candidates) -> bool:
    """Return whether a candidate has most of a query's words, or a rare name of it.

    If none has, the query is read as a draft.
    """
    exact, names = candidates.columns.get("exact"), candidates.columns.get("names")
    if exact is None or np.isnan(exact).all():
        return False
    return bool((exact >= SOUGHT).any() or (names is not None and (names >= RARE_NAME).any()))


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
