"""Read the gaps between the words of a sentence: the punctuation and blanks between two words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

from quotations.grammar.tagging import Word

KEPT_GAPS = 1 << 10  # number of cached results; most gaps are a blank or a comma
HARD = frozenset(";:—–…()")


def split_gaps(text: str, words: Sequence[Word]) -> list[str]:
    """Return for each word the text between it and the previous word; "" for the first word.

    >>> from quotations.grammar.tagging import tag_words
    >>> split_gaps("Yes — now, sir.", tag_words("Yes — now, sir."))
    ['', ' — ', ', ']
    """
    pairs = itertools.pairwise(words)
    return [""][: len(words)] + [text[one.end_char : two.start_char] for one, two in pairs]


@lru_cache(KEPT_GAPS)
def is_hard(gap: str) -> bool:
    """Return whether a gap, the text between two words, has punctuation stronger than a comma.

    >>> is_hard(" -- "), is_hard(", "), is_hard("-")
    (True, False, False)
    """
    return bool(HARD.intersection(gap)) or "--" in gap or " - " in gap
