"""Compare wordings that may be the same words, number or day in another spelling."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from quotations.names.spellings import SPELLING_SIMILARITY
from quotations.text.meaning import MONTH_NAMES, MONTHS, expand_phrases, is_opposite

LONGEST_REPEAT = 6


def is_same_figure(quoted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Return whether two wordings mean the same number or the same day.

    >>> is_same_figure(["9"], ["9.00"]), is_same_figure(["9", "11"], ["september", "11th"])
    (True, True)
    >>> is_same_figure(["9"], ["9.50"]), is_same_figure(["9", "11"], ["october", "11th"])
    (False, False)
    """
    if len(quoted) == len(spoken) == 1:
        return read_figure(quoted[0]) is not None and read_figure(quoted[0]) == read_figure(spoken[0])
    return (
        len(quoted) == len(spoken) == 2
        and _read_day(quoted) is not None
        and (_read_day(quoted) == _read_day(spoken))
    )


def read_figure(word: str) -> float | None:
    """Return the value of a number that is written in figures; `None` for any other word.

    >>> read_figure("2.50"), read_figure("2.5.1"), read_figure("nine")
    (2.5, None, None)
    """
    is_figure = word[:1].isdigit() and word.count(".") <= 1 and word.replace(".", "").isdecimal()
    return float(word) if is_figure else None


def _read_day(words: Sequence[str]) -> tuple[str, str] | None:
    """Parse month and day from "9/11" or "September 11th"; return `None` for other words."""
    month, day = words
    if month.isdecimal() and 1 <= int(month) <= len(MONTH_NAMES):
        month = MONTH_NAMES[int(month) - 1]
    day = write_plainly(day)
    return (MONTHS[month], day) if month in MONTHS and day.isdecimal() else None


def join_words(words: Sequence[str]) -> str:
    """Join words into one string for comparison, with abbreviations written out and "is" contracted.

    >>> join_words(["frontrunner"]) == join_words(["front", "runner"]), join_words(["one", "is"])
    (True, 'ones')
    """
    written = expand_phrases(words)
    return "".join("s" if at and word in ("is", "has") else word for at, word in enumerate(written))


def write_plainly(word: str) -> str:
    """Return a word in its plain form: the name of a month in full, a number without its ordinal ending.

    >>> write_plainly("jan"), write_plainly("20th"), write_plainly("length")
    ('january', '20', 'length')
    """
    return word.removesuffix("th") if word[:1].isdigit() else MONTHS.get(word, word)


def is_spelled_alike(word: str, other: str) -> bool:
    """Return whether two words are nearly equal and not opposites.

    >>> is_spelled_alike("labor", "labour"), is_spelled_alike("labor", "later")
    (True, False)
    """
    similarity = Levenshtein.normalized_similarity(word, other)
    return not is_opposite(word, other) and similarity >= SPELLING_SIMILARITY


def collapse_repeats(words: Sequence[str]) -> list[str]:
    """Remove immediate repetitions of words.

    >>> " ".join(collapse_repeats("i did not i did not go to to school".split()))
    'i did not go to school'
    """
    result: list[str] = []
    for word in words:
        result.append(word)
        for size in range(min(LONGEST_REPEAT, len(result) // 2), 0, -1):
            if result[-size:] == result[-2 * size : -size]:
                del result[-size:]
                break
    return result
