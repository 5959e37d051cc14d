"""Score a paragraph by the names that it shares with the draft, compared as written, not as stems.

Stemmed, "Challenger" becomes "challenge" and "Hoover" becomes "hoov". Here a capitalised word of a query, or
of a draft's last sentence, counts by its rarity if the paragraph also has it capitalised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from quotations.sentences import split_sentences
from reranker.signals.compared_texts import measure_rarity, read_compared, spread_scores
from reranker.signals.exact_words import is_query
from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.types import Draft

CACHED_TEXTS = 1 << 12
LEAST_RARITY = 2.5
"""Minimum rarity of a name that counts: e^2.5 means one paragraph in twelve."""

NAME = re.compile(r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W_]{2,}")


@lru_cache(CACHED_TEXTS)
def find_names(text: str) -> frozenset[str]:
    """Return the capitalised words of a text, in lower case, without a genitive's ending.

    >>> sorted(find_names("Challenger, forty years on: what Reagan’s speech did"))
    ['challenger', 'reagan']
    """
    return frozenset(match.casefold() for match in NAME.findall(text))


def _read_near(draft: Draft) -> str:
    """Return the last sentence of a draft, or the whole text of a query."""
    bounds = split_sentences(draft.left)
    if is_query(draft) or not bounds:
        return f"{draft.title}\n{draft.left}"
    return draft.left[slice(*bounds[-1])]


def _score_names(context: Context) -> Floats | None:
    if context.pieces is None:
        return None
    names = find_names(_read_near(context.draft))
    texts = context.compute(read_compared) if names else {}
    shared = {row: of_text for row, text in texts.items() if (of_text := _find_among(names, text))}
    rarity = measure_rarity(names, shared.values(), len(context.candidates))
    scores = {row: _weigh_rarest([rarity[name] for name in of_text]) for row, of_text in shared.items()}
    return spread_scores(scores, len(context.candidates))


def _find_among(names: Set[str], text: str) -> Set[str]:
    """Return the names that a text has. Searching for their letters first makes this fast."""
    folded = text.casefold()
    return names & find_names(text) if any(name in folded for name in names) else set()


def _weigh_rarest(rarities: Sequence[float]) -> float:
    """Return the rarity of the rarest name plus a tenth of the others', ignoring names below
    `LEAST_RARITY`.
    """
    counted = sorted((rarity for rarity in rarities if rarity >= LEAST_RARITY), reverse=True)
    return sum(counted[:1]) + sum(counted[1:]) / 10


NAMES = Signal("names", "names as the draft writes them", "log", "paragraph", _score_names, default=0.1)
