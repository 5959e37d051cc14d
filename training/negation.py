"""Change a few words of a statement, so that it says the opposite or something else.

There are five kinds of changes: drop a negation, add a negation, drop a hedge, change a figure, or replace a
word by its opposite. Trainings use such statements as contradictions and as altered quotations.
"""

from __future__ import annotations

import random
import re

NEGATION = re.compile(r"\b(?:not|never)\s|n't\b", re.IGNORECASE)
AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|will|would|can|could|should|has|have|had|must|may|might|do|does|did)\b"
    r"(?! not|n't)",
    re.IGNORECASE,
)
HEDGE = re.compile(
    r"\b(?:I think|I believe|I hope|perhaps|maybe|probably|possibly|likely|may|might|could|some of|almost|"
    r"nearly|"
    r"often|sometimes|if we can|potentially|suggests? that|it seems)\b\s*",
    re.IGNORECASE,
)
FIGURE = re.compile(r"\b\d[\d,]*(?:\.\d+)?\b")
OPPOSITES = {
    "increase": "decrease", "increases": "decreases", "increased": "decreased",
    "increasing": "decreasing", "more": "less", "higher": "lower", "high": "low",
    "greater": "smaller", "better": "worse", "good": "bad", "best": "worst", "always": "never",
    "all": "no", "every": "no", "most": "few", "many": "few", "support": "oppose",
    "supports": "opposes", "supported": "opposed", "reduce": "raise", "reduces": "raises",
    "reduced": "raised", "positive": "negative", "effective": "ineffective", "legal": "illegal",
    "safe": "unsafe", "likely": "unlikely", "possible": "impossible", "able": "unable",
    "success": "failure", "strong": "weak", "stronger": "weaker", "before": "after",
    "above": "below", "promote": "inhibit", "promotes": "inhibits", "activate": "suppress",
    "activates": "suppresses", "with": "without", "allow": "forbid", "win": "lose",
    "right": "wrong", "first": "last", "benefit": "harm", "benefits": "harms",
    "protect": "endanger", "improve": "worsen", "improves": "worsens", "improved": "worsened",
    "accept": "reject", "agree": "disagree",
}  # fmt: skip
OPPOSITES |= {value: key for key, value in OPPOSITES.items() if value not in ("no", "few")}
WORD = re.compile(r"[A-Za-z]+")


def drop_negation(text: str, chance: random.Random) -> str | None:
    """Return `text` without one of its negations ("not", "never"); `None` if it has no negation.

    >>> drop_negation("We will not yield.", random.Random(0))
    'We will yield.'
    """
    matches = list(NEGATION.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    return text[: match.start()] + text[match.end() :]


def add_negation(text: str, chance: random.Random) -> str | None:
    """Return `text` with "not" after one of its auxiliaries ("will", "is"); `None` if it has no auxiliary.

    >>> add_negation("We will yield.", random.Random(0))
    'We will not yield.'
    """
    matches = list(AUXILIARY.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    return text[: match.end()] + " not" + text[match.end() :]


def drop_hedge(text: str, chance: random.Random) -> str | None:
    """Return `text` without one of its hedges ("I think", "perhaps"); `None` if it has no hedge.

    >>> drop_hedge("I think we won.", random.Random(0))
    'we won.'
    """
    matches = list(HEDGE.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    return text[: match.start()] + text[match.end() :]


def change_figure(text: str, chance: random.Random) -> str | None:
    """Return `text` with a digit changed in one of its numbers (30 -> 70); `None` if it has no number.

    >>> change_figure("It cost 30 dollars.", random.Random(0)) != "It cost 30 dollars."
    True
    """
    matches = list(FIGURE.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    digits = list(match.group())
    at = chance.choice([i for i, digit in enumerate(digits) if digit.isdigit()])
    digits[at] = chance.choice([digit for digit in "123456789" if digit != digits[at]])
    return text[: match.start()] + "".join(digits) + text[match.end() :]


def replace_by_opposite(text: str, chance: random.Random) -> str | None:
    """Return `text` with one word replaced by its opposite; `None` if no word has an entry in `OPPOSITES`.

    >>> replace_by_opposite("Taxes increased.", random.Random(0))
    'Taxes decreased.'
    """
    matches = [match for match in WORD.finditer(text) if match.group().lower() in OPPOSITES]
    if not matches:
        return None
    match = chance.choice(matches)
    word = OPPOSITES[match.group().lower()]
    return (
        text[: match.start()]
        + (word.capitalize() if match.group()[0].isupper() else word)
        + text[match.end() :]
    )


CHANGES = {
    "negation dropped": drop_negation,
    "negation added": add_negation,
    "hedge dropped": drop_hedge,
    "figure changed": change_figure,
    "opposite": replace_by_opposite,
}


def change_text(
    text: str, chance: random.Random, kinds: tuple[str, ...] = tuple(CHANGES)
) -> tuple[str, str] | None:
    """Apply a random change to a statement; return the altered text and the name of the change.

    `kinds` are names of `CHANGES`, such as "negation dropped". Return `None` if no change is possible.
    """
    for kind in chance.sample(kinds, len(kinds)):
        altered = CHANGES[kind](text, chance)
        if altered is not None and altered.strip() and altered != text:
            return altered, kind
    return None
