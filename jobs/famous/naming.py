"""Find quotes whose author or work is named in the sentence around a gap.

A writer often names the source of a quote: "as Kipling wrote", "an old proverb has it". Quotes of that author
then get a higher score. Only names in the sentence of the gap count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rostrum_core.famous_quotes import FamousQuote

WORD = re.compile(r"[^\W\d_][\w’'.-]*[^\W_]|[^\W\d_]")
SENTENCE_END = re.compile(r"[.!?][”\"’)]*\s+(?=[“\"‘(]?[A-Z])")
BEFORE, AFTER = 25, 15
"""Number of words of the sentence that are read before and after the gap."""

LONGEST_NAME = 6
PROVERB = frozenset(("proverb", "proverbs", "adage"))
SUFFIXES = frozenset(("jr", "sr", "ii", "iii"))
SHORT_TITLES = frozenset(("bible", "constitution"))
"""Short titles that stand for a full title: "the Bible" for the King James Bible."""

LEAST_LETTERS = 5
"""Minimum letters of a one-word title: shorter ones, such as "If", begin many sentences."""


class NamedQuotes:
    """Index the quotes of a list by their authors and works, to find the quotes whose source a text names."""

    def __init__(self, quotes: Sequence[FamousQuote]) -> None:
        self._quotes = quotes

    def find(self, left: str, right: str) -> NDArray[np.bool_]:
        """Return a mask of the quotes whose author or work is named in the sentence around a gap, bool
        (quotes,).

        `left` and `right` are the texts before and after the gap. If the sentence has a word such as
        "proverb", the quotes without author and work are marked, too.
        """
        named = np.zeros(len(self._quotes), np.bool_)
        for words in cut_sentence(left, right):
            lowered = [fold_word(word) for word in words]
            if PROVERB.intersection(lowered):
                named[self._proverbs] = True
            for start, word in enumerate(words):
                if not word[0].isupper():
                    continue
                for length in range(1, LONGEST_NAME + 1):
                    named[self._by_name.get(tuple(lowered[start : start + length]), [])] = True
        return named

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], list[int]]:
        names = defaultdict(list)
        for at, quote in enumerate(self._quotes):
            for name in set(list_names(quote)):
                names[name].append(at)
        return dict(names)

    @cached_property
    def _proverbs(self) -> list[int]:
        return [at for at, quote in enumerate(self._quotes) if not (quote.author or quote.work)]


def list_names(quote: FamousQuote) -> Iterator[tuple[str, ...]]:
    """Yield the names that identify the source of a quote: the author's last name and the title of the work.

    >>> list(list_names(FamousQuote("1", "x", "Oliver Wendell Holmes Jr.", "The Common Law")))
    [('holmes',), ('common', 'law')]
    """
    author = [word for word in map(fold_word, WORD.findall(quote.author)) if word not in SUFFIXES]
    if author:
        yield (author[-1],)
    title = tuple(map(fold_word, WORD.findall(quote.work)))
    title = title[1:] if title[:1] in (("the",), ("a",)) else title
    if len(title) > 1 or len("".join(title)) >= LEAST_LETTERS:
        yield title
        if title[-1] in SHORT_TITLES:
            yield title[-1:]


def cut_sentence(left: str, right: str) -> tuple[list[str], list[str]]:
    """Return the words of the sentence around a gap: those before the gap, and those after it.

    >>> cut_sentence("It rained. So, as Kipling wrote,", "Then he left. Nobody spoke.")
    (['So', 'as', 'Kipling', 'wrote'], ['Then', 'he', 'left'])
    """
    before = SENTENCE_END.split(left)[-1]
    after = SENTENCE_END.split(right, maxsplit=1)[0]
    return WORD.findall(before)[-BEFORE:], WORD.findall(after)[:AFTER]


def fold_word(word: str) -> str:
    """Return a word in lower case, without accents and without a possessive "’s".

    >>> fold_word("Proudhon’s"), fold_word("René")
    ('proudhon', 'rene')
    """
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'").removesuffix("'s"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).rstrip(".'-")
