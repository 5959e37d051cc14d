"""Parse the words and phrases of a search query, and find them in a text.

Words match by their stem: "fathers" finds "father". Phrases, in quotation marks, match word by word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from embedded.analysis import build_analyser
from indexer.characters import normalise
from reranker.signals.exact_words import QUOTED

MARKED_CODES: Final = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))
"""Ranges of code points that have all combining marks of Unicode."""

APOSTROPHES: Final = re.compile("['’‘ʼ]")
CACHED_STEMS: Final = 1 << 16
LONGEST_MARKED: Final = 200_000
"""Most characters of a text in which matches are marked; paragraphs are normally shorter."""

Range = tuple[int, int]


@cache
def compile_word() -> re.Pattern[str]:
    """Return the pattern of a word: letters and digits with their combining marks, and apostrophes inside.

    Combining marks are, for example, the accents of some letters and the vowel signs of Hindi. The first test
    for a mark is quick, and fails in most texts; without it, a search takes five times as long.

    >>> compile_word().findall("Don\u2019t stop, e\u0301lan!")
    ['Don\u2019t', 'stop', 'e\u0301lan']
    """
    marks = "".join(
        chr(code)
        for codes in MARKED_CODES
        for code in codes
        if unicodedata.category(chr(code)) in ("Mn", "Mc")
    )
    letters = rf"[^\W_]+(?:(?=[^\0-\u02ff])[{marks}]+[^\W_]*)*"
    return re.compile(rf"{letters}(?:['’‘ʼ]{letters})*")


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """Hold the words and phrases of a query.

    `stems` are the stems of its words, such as "father" for "fathers", without stop words. `phrases` are
    tuples of words in lower case. `written` has pairs of a stem and the word as it was typed, for messages.
    """

    stems: frozenset[str]
    phrases: tuple[tuple[str, ...], ...]
    written: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the query has no word and no phrase."""
        return not self.stems and not self.phrases

    @property
    def has_stop_words_only(self) -> bool:
        """Return whether no word of the query, not even in its phrases, can be looked up in an index."""
        return not self.stems and not any(stem_word(word) for phrase in self.phrases for word in phrase)


@dataclass(frozen=True, slots=True)
class Match:
    """Hold how a text matches a query.

    `stems` are the stems of the query's words that the text has, and `has_phrases` is true if it has every
    phrase of the query. `ranges` are the character ranges of the matching words and phrases in the text,
    half-open, in code points.
    """

    stems: frozenset[str]
    has_phrases: bool
    ranges: tuple[Range, ...]

    def is_whole(self, terms: SearchTerms) -> bool:
        """Return whether the text has all words and phrases of the query `terms`."""
        return self.has_phrases and self.stems >= terms.stems


def read_terms(query: str) -> SearchTerms:
    """Parse a query. Words in quotation marks are phrases; a query of stop words alone is one phrase.

    The characters of the query are normalised like those of speeches.

    >>> read_terms('the hardness "of the task"')
    SearchTerms(stems=frozenset({'hard'}), phrases=(('of', 'the', 'task'),), written=(('hard', 'hardness'),))
    >>> read_terms("to be or not to be").phrases
    (('to', 'be', 'or', 'not', 'to', 'be'),)
    """
    plain = normalise(query)
    phrases = tuple(words for words in map(_fold_words, QUOTED.findall(plain)) if words)
    outside = [match[0] for match in compile_word().finditer(QUOTED.sub(" ", plain))]
    written = {stem: word for word in reversed(outside) if (stem := stem_word(fold_word(word)))}
    if not written and not phrases and outside:
        phrases = (tuple(map(fold_word, outside)),)
    return SearchTerms(frozenset(written), phrases, tuple(sorted(written.items())))


def match_terms(text: str, terms: SearchTerms) -> Match:
    """Find the words and phrases of a query in a text.

    >>> match_terms("We choose the moon.", read_terms('moons "we choose"')).ranges
    ((0, 9), (14, 18))
    """
    words = [
        (match.start(), match.end(), fold_word(match[0]))
        for match in compile_word().finditer(text[:LONGEST_MARKED])
    ]
    stems = [stem_word(word) for _, _, word in words]
    ranges = [(start, end) for (start, end, _), stem in zip(words, stems, strict=True) if stem in terms.stems]
    folded = [word for _, _, word in words]
    places = [_find_phrase(folded, phrase) for phrase in terms.phrases]
    ranges += [
        (words[at][0], words[at + len(phrase) - 1][1])
        for phrase, starts in zip(terms.phrases, places, strict=True)
        for at in starts
    ]
    return Match(frozenset(stems) & terms.stems, all(places), _merge(ranges))


@lru_cache(CACHED_STEMS)
def stem_word(word: str) -> str:
    """Return the stem of a word in lower case; empty for a stop word.

    >>> stem_word("fathers"), stem_word("the")
    ('father', '')
    """
    return " ".join(_open_analyser().analyze(word))


def fold_word(word: str) -> str:
    """Return a word in lower case and without apostrophes.

    >>> fold_word("Don’t")
    'dont'
    """
    return APOSTROPHES.sub("", word.casefold())


@lru_cache(1)
def _open_analyser() -> Any:
    return build_analyser()


def _fold_words(text: str) -> tuple[str, ...]:
    return tuple(fold_word(match[0]) for match in compile_word().finditer(text))


def _find_phrase(words: Sequence[str], phrase: Sequence[str]) -> list[int]:
    """Return the indices in `words` at which the words of a phrase stand one after the other."""
    first, count = phrase[0], len(phrase)
    wanted = list(phrase)
    return [at for at, word in enumerate(words) if word == first and list(words[at : at + count]) == wanted]


def _merge(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Sort character ranges, and join ranges that overlap or touch."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
