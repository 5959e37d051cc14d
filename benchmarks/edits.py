"""What journalists, editors and scanners do to a sentence, at a strength: the share of its words."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from random import Random

from quotations.numbers import UNITS

Words = list[str]
Edit = Callable[[Words, int, Random, Sequence[str]], Words]
FIGURES = {word: str(value) for word, value in UNITS.items()}


def edited(sentence: str, kind: str, strength: float, draw: Random, vocabulary: Sequence[str]) -> str:
    """The sentence with `strength` of its words edited, at least one; new words come from `vocabulary`.

    >>> edited("We choose two of them", "numerals", 0.2, Random(0), [])
    'We choose 2 of them'
    """
    words = sentence.split()
    count = max(1, round(strength * len(words)))
    return " ".join(EDITS[kind](words, count, draw, vocabulary))


def _dropped(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    gone = set(draw.sample(range(len(words)), count))
    return [word for at, word in enumerate(words) if at not in gone]


def _inserted(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    made = list(words)
    for _ in range(count):
        made.insert(draw.randrange(len(made) + 1), draw.choice(vocabulary))
    return made


def _replaced(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    changed = set(draw.sample(range(len(words)), count))
    return [draw.choice(vocabulary) if at in changed else word for at, word in enumerate(words)]


def _bracketed(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    changed = set(draw.sample(range(len(words)), count))
    return [f"[{draw.choice(vocabulary)}]" if at in changed else word for at, word in enumerate(words)]


def _left_out(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    at = draw.randrange(1, len(words) - count)
    return [*words[:at], "...", *words[at + count :]]


def _in_figures(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    return [FIGURES.get(word, word) for word in words]


def _misread(words: Words, count: int, draw: Random, vocabulary: Sequence[str]) -> Words:
    made = list(words)
    for at in draw.sample(range(len(words)), count):
        letter = draw.randrange(len(made[at]))
        made[at] = made[at][:letter] + draw.choice(string.ascii_lowercase) + made[at][letter + 1 :]
    return made


EDITS: dict[str, Edit] = {
    "dropped": _dropped,
    "inserted": _inserted,
    "replaced": _replaced,
    "bracketed": _bracketed,
    "ellipsis": _left_out,
    "misread": _misread,
    "numerals": _in_figures,
}
