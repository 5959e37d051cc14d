"""Estimate the probability that a copy editor would print a span, words of a speech, unchanged.

This is a logistic regression. The flaws that the rules find count most. They are only a part of all flaws. So
dashes, length, and words that may refer to something outside the span (see `quotations.printing.pointing`)
count as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from quotations.grammar.cut_vocabulary import THIRD_PERSONS
from quotations.printing.pointing import DEMONSTRATIVES, OPENING_WORDS, find_pointer
from quotations.printing.print_spans import SHORTEST, Flaw, FlawKind, PrintSpan

WEIGHTS = {
    "warning meaning": -3.133,
    "warning grammar": -2.728,
    "warning boundary": -2.947,
    "warning context": -2.724,
    "this": -0.352,
    "that": -0.472,
    "early pronoun": -0.634,
    "dashes": -0.509,
    "colon": -1.062,
    "spoken": -1.501,
    "we": 0.394,
    "comparison": -0.153,
    "after a mark": -0.285,
    "ends inside": -0.927,
    "pointer": -1.015,
    "log length": 0.429,
    "short": -1.755,
    "intercept": 0.66,
}
"""Fitted by `python -m benchmarks.print_order fit` on 3,114 judged spans; held-out ROC AUC 0.82."""

MOST = 3  # of each word that is counted: a fourth "this" says no more
SPOKEN = re.compile(r"\b(?:you know|folks|look,|well,|by the way|i mean|quote|okay|all right)\b")
"""Match words in lower case: ignoring case would take four times as long."""
COMPARING = frozenset(
    ("also", "another", "both", "further", "instead", "other", "same", "such", "then", "therefore", "too")
)
"""Words that compare with something said before, or add to it."""

FIRST_PERSONS = frozenset(("we", "our", "us", "ours"))


def estimate_printability(span: PrintSpan, flaws: Sequence[Flaw]) -> float:
    """Return the probability, 0 to 1, that a copy editor would print `span`, with its `flaws`, unchanged."""
    features = read_features(span, flaws)
    logit = WEIGHTS["intercept"] + sum(WEIGHTS[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-logit))


def read_features(span: PrintSpan, flaws: Sequence[Flaw]) -> dict[str, float]:
    """Return the features from which the printability of a span is computed, by their names in `WEIGHTS`.

    For example, "dashes" is the number of dashes (limited to `MOST`), and "short" is 1 for a short span.
    """
    words = [word.lower for part in span.parts for word in part.words]
    text, kinds = span.text, {flaw.kind for flaw in flaws}
    count = len(text.split())
    ends_inside = bool(span.parts) and span.parts[-1].last < len(span.parts[-1].sentence.words) - 1
    features = {
        "warning meaning": FlawKind.MEANING in kinds,
        "warning grammar": FlawKind.GRAMMAR in kinds,
        "warning boundary": FlawKind.BOUNDARY in kinds,
        "warning context": FlawKind.CONTEXT in kinds,
        "this": min(MOST, _count_pointing(words)),
        "that": min(MOST, words.count("that")),
        "early pronoun": any(word in THIRD_PERSONS for word in words[:OPENING_WORDS]),
        "dashes": min(MOST, text.count("—") + text.count(" – ") + text.count("--")),
        "colon": (":" in text or ";" in text) and not text.endswith("?"),
        "spoken": bool(SPOKEN.search(text.lower())),
        "we": any(word in FIRST_PERSONS for word in words),
        "comparison": any(word in COMPARING for word in words),
        "after a mark": bool(span.parts) and bool(span.parts[0].gap_before.strip()),
        "ends inside": ends_inside,
        "pointer": find_pointer(span) is not None,
        "log length": math.log(max(1, count)),
        "short": count < SHORTEST,
    }
    return {name: float(value) for name, value in features.items()}


def _count_pointing(words: Sequence[str]) -> int:
    """Return how often "this", "these" or "those" refers to something said elsewhere.

    "These are the boys" and "those who ask" do not count, because the next words say who is meant.
    """
    return sum(word in DEMONSTRATIVES and not _is_explained(words, i) for i, word in enumerate(words))


def _is_explained(words: Sequence[str], at: int) -> bool:
    following = (*words[at + 1 : at + 3], "", "")
    if words[at] == "those":
        return following[0] in DESCRIBING or following[0].endswith("ing")
    return following[0] in PRESENTING and following[1] in ARTICLES


PRESENTING = frozenset(("is", "are", "was", "were", "'s"))
ARTICLES = frozenset(("the", "a", "an"))
DESCRIBING = frozenset(("who", "whose", "whom", "of", "that", "which"))
