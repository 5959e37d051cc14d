"""Score a paragraph by the names that it shares with the draft, compared as written, not as stems.

Stemmed, "Challenger" becomes "challenge" and "Hoover" becomes "hoov". Here a capitalised word of a query, or
of a draft's last sentence, counts by its rarity if it is capitalised in the paragraph, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from quotations.text.kept_words import find_names
from quotations.text.sentences import split_sentences
from reranker.signals.attributed_speaker import read_attributed
from reranker.signals.compared_texts import choose_compared, measure_rarity, read_kept, spread_scores
from reranker.signals.exact_words import is_query
from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.types import Draft

LEAST_RARITY = 2.5
"""Minimum rarity of a name that counts: e^2.5 means one paragraph in twelve."""


def _read_near(draft: Draft) -> str:
    """Return the text in which names are sought: the last sentence of a draft, or the whole of a query."""
    bounds = split_sentences(draft.left)
    if is_query(draft) or not bounds:
        return f"{draft.title}\n{draft.left}"
    return draft.left[slice(*bounds[-1])]


def _score_names(context: Context) -> Floats | None:
    if context.pieces is None:
        return None
    own = frozenset().union(*context.compute(read_attributed).values())  # speakers do not name themselves
    names = sorted(find_names(_read_near(context.draft)) - own)
    count, compared = len(context.candidates), context.compute(choose_compared)
    texts, places = read_kept(context, "names").find(names)
    shared: dict[int, list[str]] = {}
    for text, place in zip(texts.tolist(), places.tolist(), strict=True):
        shared.setdefault(compared[text], []).append(names[place])
    rarity = measure_rarity(names, shared.values(), count)
    return spread_scores({row: _weigh_rarest([rarity[n] for n in of]) for row, of in shared.items()}, count)


def _weigh_rarest(rarities: Sequence[float]) -> float:
    """Return the rarity of the rarest shared name, plus a tenth of the rarities of the other shared names.

    Names with a rarity below `LEAST_RARITY` are ignored.
    """
    counted = sorted((rarity for rarity in rarities if rarity >= LEAST_RARITY), reverse=True)
    return sum(counted[:1]) + sum(counted[1:]) / 10


NAMES = Signal("names", "names as the draft writes them", "log", "paragraph", _score_names, default=0.1)
