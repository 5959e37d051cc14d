"""Plant changes of meaning in quotations, at random, by rules of its own.

The tables of `quotations.text.meaning` are not used: the planted changes must not depend on the detector.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
EDGE_WORDS = 1  # a change at the edge of a quotation is another cut of the same words

CONTRACTED = re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|would|could|should)n['’]t\b")
DENIED = re.compile(r"\b(?:not|never)\b ")
AFFIRMED = re.compile(
    r"\b(is|are|was|were|will|would|can|could|should|must|has|have) (?!not\b|never\b|n['’]t)"
)
DIGITS = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
NUMBER_WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twelve",
    "twenty",
    "thirty",
]
NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)}|million|billion|trillion)\b")
MAGNITUDES = {"million": "billion", "billion": "million", "trillion": "billion"}
HEDGE = re.compile(
    r"\b(?:perhaps|maybe|probably|possibly|I think|I believe|I guess|I hope|we hope|we believe),? "
)
MODAL = re.compile(r"\b(may|might|could|should|would|must)\b(?! be\b.*\bnot\b)")
STRONGER = {"may": "will", "might": "will", "could": "will", "should": "will", "would": "will", "must": "can"}
CONDITION = re.compile(r"\b(?:if|unless|provided that|as long as|so long as) ")
QUANTIFIER = re.compile(r"\b(some|many|most|few|several)\b(?= [a-z])")
NAMED = re.compile(r"(?<=[a-z,] )(?!Wh|Th|How|But|And|For)(?:[A-Z][a-z]{3,})\b")
NAMES = ["Garfield", "Bulgaria", "Montgomery", "Portugal", "Wellington", "Nebraska", "Hopkins", "Sinclair"]


@dataclass(frozen=True, slots=True)
class Planted:
    """Hold a quotation with one change of meaning."""

    kind: str
    quote: str
    change: str


def plant_changes(quote: str, seed: int) -> list[Planted]:
    """Return the quotation with one change of each kind that can be planted in it.

    >>> first = plant_changes("I say that we did not see 30 of them there", 1)[0]
    >>> first.kind, first.quote
    ('negation dropped', 'I say that we did see 30 of them there')
    """
    source = random.Random(f"{seed}\x1f{quote}")
    return [planted for make in MAKERS for planted in make(quote, source)]


def _is_inside(quote: str, match: re.Match[str]) -> bool:
    """Return whether a match excludes the first and the last word."""
    words = [word.span() for word in WORD.finditer(quote)]
    if len(words) < 2 * EDGE_WORDS + 2:
        return False
    return match.start() >= words[EDGE_WORDS][0] and match.end() <= words[-EDGE_WORDS - 1][1] + 1


def _is_repeated(quote: str, match: re.Match[str]) -> bool:
    """Return whether the words are repeated immediately: dropping one loses nothing."""
    own = WORD.findall(match[0].casefold())
    before, after = (WORD.findall(part.casefold()) for part in (quote[: match.start()], quote[match.end() :]))
    return own in (before[-len(own) :], after[: len(own)])


def _make_changer(
    kind: str, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]
) -> Callable[[str, random.Random], Iterator[Planted]]:
    def make(quote: str, source: random.Random) -> Iterator[Planted]:
        matches = [
            match
            for match in pattern.finditer(quote)
            if _is_inside(quote, match) and not _is_repeated(quote, match)
        ]
        if not matches:
            return
        match = source.choice(matches)
        changed = quote[: match.start()] + instead(match) + quote[match.end() :]
        if changed != quote:
            yield Planted(kind, changed, f"{match[0]} -> {instead(match)}")

    return make


def _change_number(match: re.Match[str]) -> str:
    digits = match[0]
    at = next(place for place, letter in enumerate(digits) if letter.isdigit())
    digit = str((int(digits[at]) + 3) % 9 + 1)
    return digits[:at] + (digit if digit != digits[at] else "5") + digits[at + 1 :]


def _change_number_word(match: re.Match[str]) -> str:
    if match[0] in MAGNITUDES:
        return MAGNITUDES[match[0]]
    return NUMBER_WORDS[(NUMBER_WORDS.index(match[0]) + 3) % len(NUMBER_WORDS)]


def _change_name(match: re.Match[str]) -> str:
    return NAMES[sum(map(ord, match[0])) % len(NAMES)]


MAKERS = (
    _make_changer("negation dropped", DENIED, lambda match: ""),
    _make_changer("negation dropped from a contraction", CONTRACTED, lambda match: match[1]),
    _make_changer("negation added", AFFIRMED, lambda match: f"{match[1]} not "),
    _make_changer("number changed", DIGITS, _change_number),
    _make_changer("number word changed", NUMBER_WORD, _change_number_word),
    _make_changer("hedge dropped", HEDGE, lambda match: ""),
    _make_changer("modal changed", MODAL, lambda match: STRONGER[match[1]]),
    _make_changer("condition dropped", CONDITION, lambda match: ""),
    _make_changer("quantifier changed", QUANTIFIER, lambda match: "all"),
    _make_changer("name changed", NAMED, _change_name),
)
