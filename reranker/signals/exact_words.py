"""Match the words of a short query exactly, because people who type words from memory want these words.

BM25 uses stems without order, and vectors use no words. Here a paragraph is compared word by word, ignoring
case, apostrophes and punctuation. Each word counts by its rarity among the candidates. People who quote from
memory drop, add and replace small words, so words in order count even if others are between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from quotations.names.speaker_names import list_names
from reranker.signals.compared_texts import measure_rarity, read_compared, split_words, spread_scores
from reranker.signals.signal import Context, Floats, Signal
from reranker.signals.word_forms import match_forms, read_forms
from rostrum_core.candidates import Candidates, Integers
from rostrum_core.types import Draft

CACHED_DRAFTS = 8
"""Number of drafts whose kind is remembered: every stage of an answer asks for it."""

SHORT_WORDS = 12
"""Most words of title and text together in a query; a longer text is a draft."""

QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
SOUGHT = 0.6
"""Minimum score of a paragraph that a query looks for.

Headlines are as short, but share less with what they quote.
"""

RARE_NAME = 5.0
"""Minimum of the signal *names* for a query to look for a name: e^5 means one paragraph in 150."""

IN_ORDER = 3.0
"""Constant added to each word's rarity when the order of words is compared."""

SKIPPED = 0.3
"""Cost of each word, of query or text, that is skipped between two matches."""

MOST_SKIPPED = 4

LEAST_ORDER, MOST_ORDER = 0.5, 0.9
"""Shares of a query in order between which the bonus for a whole line grows from 0 to its full value."""

LEAST_WORDS = 4
"""Minimum number of distinct words for a query to count if remembered in part or in another order."""

ALMOST = 0.9
"""Bonus for a line that is whole except for a few words."""

REORDERED = 0.5
"""Bonus for a text that has all words close together, in another order."""

STRAY_WORDS = 4
"""Number of other words that may be between them."""

WHOLE = 4.0
"""Bonus for a text that has the whole query as consecutive words; it outweighs all other scores."""


@lru_cache(CACHED_DRAFTS)
def is_query(draft: Draft) -> bool:
    """Return whether a draft is a query: it has few words, and no text after the place of the quote.

    >>> is_query(Draft(left="tear down this wall")), is_query(Draft(left="He said", right="in Berlin."))
    (True, False)
    """
    if draft.right.strip():
        return False
    return 0 < len(split_words(f"{draft.title} {draft.left}")) <= SHORT_WORDS


def read_query(context: Context) -> list[str] | None:
    """Return the words of a query, spelled as in the texts that are compared: "Gorbatchev" -> "gorbachev".

    Return `None` if the draft is not a query.
    """
    draft = context.draft
    if not is_query(draft):
        return None
    return match_forms(read_forms(f"{draft.title} {draft.left}"), context.compute(read_wordings).values())


def read_replaced(context: Context) -> dict[str, str]:
    """Return the changed words of a query: old and new spelling, such as "gorbatchev" and "gorbachev".

    A word is changed if no compared text has it, and a text has a similar word.
    """
    words = context.compute(read_query) or []
    draft = context.draft
    return {
        old: new
        for old, new in zip(read_forms(f"{draft.title} {draft.left}"), words, strict=False)
        if old != new
    }


def read_wordings(context: Context) -> dict[int, list[str]]:
    """Return the normalised words (see `read_forms`) of the best candidates, by row number.

    The best candidates are those of `choose_compared`.
    """
    return {row: read_forms(text) for row, text in context.compute(read_compared).items()}


def read_required(context: Context) -> list[list[str]]:
    """Return the phrases in quotation marks of a query, each as a list of words.

    The user wants paragraphs that have all these phrases. The list is empty if the draft is not a query.
    """
    return [read_forms(phrase) for phrase in list_required(context.draft)]


def list_required(draft: Draft) -> list[str]:
    """Return the phrases that a query (a short draft) has in quotation marks.

    If the draft is not a query (see `is_query`), the result is empty.

    >>> list_required(Draft(left='"this wall" Gorbachev'))
    ['this wall']
    """
    quoted = QUOTED.findall(f"{draft.title}\n{draft.left}") if is_query(draft) else []
    return [phrase for phrase in quoted if read_forms(phrase)]


def score_words(query_words: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the share of a query that a text has, plus a bonus for the query as consecutive words.

    Half of the share is for words of the query, half for words in the same order. Words are weighted by
    `rarity`. The bonus is `WHOLE` (4) for the whole query, and smaller if there are small changes.

    >>> rarity, texts = {"fear": 1.0, "itself": 1.0}, ["is fear itself", "itself fear", "a"]
    >>> [score_words(["fear", "itself"], rarity, text.split()) for text in texts]
    [5.0, 0.75, 0.0]
    """
    total = sum(rarity[word] for word in query_words)
    has = set(words)
    covered = sum(rarity[word] for word in query_words if word in has)
    if not covered:
        return 0.0
    in_order = _weigh_chain(query_words, rarity, words) / (total + IN_ORDER * len(query_words))
    share = (covered / total + in_order) / 2
    return share + _find_bonus(query_words, in_order, words)


def _find_bonus(query_words: Sequence[str], in_order: float, words: Sequence[str]) -> float:
    """Return the bonus of a text that has the words of the query close together; 0 for other texts.

    The bonus is highest (`WHOLE`) if the text has the query word for word. It is lower if a few words differ,
    or if the words are in another order. `in_order` is the share of the query that the text has in order.
    """
    if f" {' '.join(query_words)} " in f" {' '.join(words)} ":
        return WHOLE
    if len(set(query_words)) < LEAST_WORDS:
        return 0.0
    almost = ALMOST * min(1.0, max(0.0, (in_order - LEAST_ORDER) / (MOST_ORDER - LEAST_ORDER)))
    return max(almost, REORDERED if _is_together(set(query_words), words) else 0.0)


def _is_together(query_words: Collection[str], words: Sequence[str]) -> bool:
    """Return whether a text has all words of a query close to each other, in any order."""
    last: dict[str, int] = {}
    for at, word in enumerate(words):
        if word in query_words:
            last[word] = at
            if len(last) == len(query_words) and at - min(last.values()) < len(last) + STRAY_WORDS:
                return True
    return False


def _weigh_chain(query_words: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the weight of the best chain of words that query and text share in the same order.

    The weight is the sum of the words' rarities, plus `IN_ORDER` for each word, minus `SKIPPED` for each word
    between them.
    """
    places: dict[str, list[int]] = {}
    for at, word in enumerate(query_words):
        places.setdefault(word, []).append(at)
    best, chains = 0.0, list[tuple[int, int, float]]()  # place in query, in text; weight
    for j, word in enumerate(words):
        if word not in places:
            continue
        chains = [chain for chain in chains if j - chain[1] <= MOST_SKIPPED + 1]
        for i in reversed(places[word]):
            before = [
                weight - SKIPPED * (i - at + j - spoken - 2)
                for at, spoken, weight in chains
                if at < i and spoken < j and i - at <= MOST_SKIPPED + 1
            ]
            chains.append((i, j, rarity[word] + IN_ORDER + max(before, default=0.0)))
            best = max(best, chains[-1][2])
    return best


def _score_exact(context: Context) -> Floats | None:
    query_words = context.compute(read_query)
    if query_words is None or context.pieces is None:
        return None
    texts = context.compute(read_wordings)
    rarity = measure_rarity(query_words, texts.values(), len(context.candidates))
    names = _list_names_of_rows(context, query_words)
    required = context.compute(read_required)
    scores = {}
    for row, words in texts.items():
        score = score_words(_leave_out(query_words, names.get(row)), rarity, words)
        has_required = bool(required) and has_phrases(required, words)
        scores[row] = max(score, min(score, 1.0) + ALMOST) if has_required else score
    return spread_scores(scores, len(context.candidates))


def has_phrases(phrases: Sequence[Sequence[str]], words: Sequence[str]) -> bool:
    """Return whether a text has all phrases as consecutive words.

    >>> has_phrases([["fear", "itself"], ["fear"]], ["is", "fear", "itself"])
    True
    """
    text = f" {' '.join(words)} "
    return all(f" {' '.join(phrase)} " in text for phrase in phrases)


def _list_names_of_rows(context: Context, query_words: Sequence[str]) -> dict[int, frozenset[str]]:
    """Return, for each compared candidate, the words of a query that name the candidate's speaker.

    The keys are row numbers. A candidate is left out if the query does not name its speaker.

    The exact match does not look for these words in the candidate's text, because speakers rarely say their
    own names.
    """
    if not context.names:
        return {}
    candidates = context.candidates
    named = {speaker: list_names(speaker, query_words) for speaker in set(candidates.speakers) if speaker}
    owners = candidates.owners.tolist()
    of_rows = ((row, candidates.speakers[owners[row]]) for row in context.compute(read_wordings))
    return {row: named[speaker] for row, speaker in of_rows if speaker and named[speaker]}


def _leave_out(query_words: Sequence[str], names: Collection[str] | None) -> Sequence[str]:
    """Return the words of a query that are not in `names`; if no word would remain, return all words."""
    rest = [word for word in query_words if word not in names] if names else query_words
    return rest or query_words


def has_words(candidates: Candidates) -> bool:
    """Return whether any candidate has most of a query's words, or a rare name that the query has.

    If there is no such candidate, the query is treated as a draft.
    """
    exact, names = candidates.columns.get("exact"), candidates.columns.get("names")
    if exact is None or np.isnan(exact).all():
        return False
    return bool((exact >= SOUGHT).any() or (names is not None and (names >= RARE_NAME).any()))


def find_required(context: Context) -> Integers | None:
    """Return the row numbers of the candidates that have every phrase in quotation marks of a query.

    Only the best candidates are checked (see `choose_compared`). Return `None` if the query has no such
    phrase, or if no candidate has all of them.
    """
    required = context.compute(read_required)
    if not required:
        return None
    texts = context.compute(read_wordings)
    rows = [row for row, words in texts.items() if has_phrases(required, words)]
    return np.array(rows, np.int64) if rows else None


EXACT = Signal("exact", "the words asked for, in order", "log", "paragraph", _score_exact)
