"""Convert English number words to figures, so that "twenty-one" and "21" are one word."""

from __future__ import annotations

from collections.abc import Sequence

UNITS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS = {
    word: 10 * tens
    for tens, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
ORDINALS = {
    word: value
    for value, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
}
SCALES = {"hundred": 100, "thousand": 1000}  # "million" stays a word in print as in speech
MOST_WORDS = 12  # "nine hundred and ninety-nine thousand nine hundred and ninety-nine" has eleven
NUMBERS = frozenset({*UNITS, *TENS, *ORDINALS, *SCALES})


def read_number(words: Sequence[str], at: int) -> tuple[str, int]:
    """Return (figures, count): the number that begins at `words[at]` as figures, and how many words it has.

    `words[at]` must be in `NUMBERS`. All ordinals in figures end in "th".

    >>> read_number("two hundred and five years".split(), 0), read_number("one two".split(), 0)
    (('205', 4), ('1', 1))
    >>> read_number("twenty first".split(), 0)
    ('21th', 2)
    """
    total, rest, taken = 0, 0, 0
    for word in words[at : at + MOST_WORDS]:
        if word == "and" and _is_continued(words, at + taken + 1, total + rest):
            taken += 1
            continue
        if word not in NUMBERS or not _may_follow(word, total, rest, taken):
            break
        taken += 1
        if word in SCALES:
            total, rest = _scale_total(word, total, rest)
        elif word in ORDINALS:
            return f"{total + rest + ORDINALS[word]}th", taken
        else:
            rest += UNITS.get(word, 0) + TENS.get(word, 0)
    return str(total + rest), taken


def _scale_total(word: str, total: int, rest: int) -> tuple[int, int]:
    if word == "thousand":
        return total + (rest or 1) * 1000, 0
    return total, (rest or 1) * 100


def _may_follow(word: str, total: int, rest: int, taken: int) -> bool:
    """Return whether `word` may continue a number: "one" may follow "twenty", but "twenty" may not follow
    "one".

    `taken` is the number of words read so far. `total` is the value of the thousands among them, and `rest`
    the value of the other words: 5000 and 2 for "five thousand two".
    """
    if not taken:
        return True
    if word == "thousand" and total:
        return False
    if word in SCALES:
        return 0 < rest < SCALES[word]
    value = UNITS.get(word) or TENS.get(word) or ORDINALS.get(word, 0)
    return 0 < value < (10 if rest % 100 else 100) and rest % 10 == 0 and not 0 < rest % 100 < 20


def _is_continued(words: Sequence[str], at: int, so_far: int) -> bool:
    """Return whether the "and" before `words[at]` is part of a number, as in "two hundred and five".

    `so_far` is the value of the number before "and", such as 200. It must be a multiple of 100, and
    `words[at]` must be a number below 100.
    """
    follows = words[at] if at < len(words) else ""
    return so_far >= 100 and so_far % 100 == 0 and (follows in UNITS or follows in TENS)
