"""Find quotes whose author or work is named in the sentence around a gap.

A writer often names the source of a quote: "as Kipling wrote", "an old proverb has it". Quotes of that author
then get a higher score. Only names in the sentence of the gap count, and only if they mean the author: not a
namesake, a place or a part of a longer name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jobs.famous.authors import Name
from jobs.famous.mentions import Mention, choose_named, read_mention
from rostrum_core.famous_quotes import FamousQuote

WORD = re.compile(r"[^\W\d_][\w’'.-]*[^\W_]|[^\W\d_]")
SENTENCE_END = re.compile(r"(?<!\b[A-Z])[.!?][”\"’)]*\s+(?=[“\"‘(]?[A-Z])")
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
        mentions: dict[Name, set[Mention]] = defaultdict(set)  # by author
        for words in cut_sentence(left, right):
            lowered = [fold_word(word[0]) for word in words]
            if PROVERB.intersection(lowered):
                named[self._proverbs] = True
            for start, word in enumerate(words):
                if not word[0][0].isupper():
                    continue
                for length in range(1, LONGEST_NAME + 1):
                    named[self._by_title.get(tuple(lowered[start : start + length]), [])] = True
                for author in self._by_surname.get(lowered[start], ()):
                    mentions[author].add(read_mention(author, words, start))
        for author in choose_named(mentions):
            named[self._by_author[author]] = True
        return named

    @cached_property
    def _by_title(self) -> dict[Name, list[int]]:
        titles = defaultdict(list)
        for at, quote in enumerate(self._quotes):
            for title in list_titles(quote.work):
                titles[title].append(at)
        return dict(titles)

    @cached_property
    def _by_author(self) -> dict[Name, list[int]]:
        authors = defaultdict(list)
        for at, quote in enumerate(self._quotes):
            if author := split_author(quote.author):
                authors[author].append(at)
        return dict(authors)

    @cached_property
    def _by_surname(self) -> dict[str, list[Name]]:
        surnames = defaultdict(list)
        for author in self._by_author:
            surnames[author[-1]].append(author)
        return dict(surnames)

    @cached_property
    def _proverbs(self) -> list[int]:
        return [at for at, quote in enumerate(self._quotes) if not (quote.author or quote.work)]


def split_author(author: str) -> Name:
    """Return the words of an author's name as they are compared: a byname first, the surname last.

    >>> split_author("Oliver Wendell Holmes Jr."), split_author("Cato the Elder")
    (('oliver', 'wendell', 'holmes'), ('elder', 'cato'))
    """
    name, _, byname = author.partition(" the ")
    words = map(fold_word, WORD.findall(f"{byname} {name}"))
    return tuple(word for word in words if word not in SUFFIXES)


def list_titles(work: str) -> Iterator[Name]:
    """Yield the names by which a text may name a work, as words.

    >>> list(list_titles("The Common Law")), list(list_titles("King James Bible"))
    ([('common', 'law')], [('king', 'james', 'bible'), ('bible',)])
    """
    title = tuple(map(fold_word, WORD.findall(work)))
    title = title[1:] if title[:1] in (("the",), ("a",)) else title
    if len(title) > 1 or len("".join(title)) >= LEAST_LETTERS:
        yield title
        if len(title) > 1 and title[-1] in SHORT_TITLES:
            yield title[-1:]


def cut_sentence(left: str, right: str) -> tuple[list[re.Match[str]], list[re.Match[str]]]:
    """Return the words of the sentence around a gap, as matches: those before the gap, and those after it.

    >>> sides = cut_sentence("It rained. So, as J. R. R. Tolkien wrote,", "Then he left. Nobody spoke.")
    >>> [[word[0] for word in side] for side in sides]
    [['So', 'as', 'J', 'R', 'R', 'Tolkien', 'wrote'], ['Then', 'he', 'left']]
    """
    before = SENTENCE_END.split(left)[-1]
    after = SENTENCE_END.split(right, maxsplit=1)[0]
    return list(WORD.finditer(before))[-BEFORE:], list(WORD.finditer(after))[:AFTER]


def fold_word(word: str) -> str:
    """Return a word in lower case, without accents and without a possessive "’s".

    >>> fold_word("Proudhon’s"), fold_word("René")
    ('proudhon', 'rene')
    """
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'").removesuffix("'s"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).rstrip(".'-")
