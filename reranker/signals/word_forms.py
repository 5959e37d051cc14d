"""Normalise the words of queries and speeches: contractions, numbers, spellings and misspelt names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from quotations.text.numbers import NUMBERS, read_number
from quotations.text.stems import shorten_word
from reranker.signals.compared_texts import split_words

CONTRACTED_LIST = "is are was were do does did have has had would could should must need"
CONTRACTED = frozenset(CONTRACTED_LIST.split())
"""Verbs that are joined with a following "not"."""

THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
LEAST_LETTERS = 5
LONG_WORD = 8
"""Number of letters from which two letters may differ."""


def read_forms(text: str) -> list[str]:
    """Return the words of a text in lower case, with numbers as figures and contractions in one form.

    >>> read_forms("Hope does not travel 1,000 days, or one thousand: I cannot, I can't.")
    ['hope', 'doesnt', 'travel', '1000', 'days', 'or', '1000', 'i', 'cant', 'i', 'cant']
    """
    words = _write_figures(split_words(THOUSANDS.sub("", text)))
    forms: list[str] = []
    for word in words:
        if word == "not" and forms and forms[-1] in CONTRACTED:
            forms[-1] += "nt"
        else:
            forms.append("cant" if word == "cannot" else word)
    return forms


def _write_figures(words: list[str]) -> list[str]:
    if NUMBERS.isdisjoint(words):
        return words
    written, at = [], 0
    while at < len(words):
        word, taken = read_number(words, at) if words[at] in NUMBERS else (words[at], 1)
        written.append(word)
        at += taken
    return written


def match_forms(words: Sequence[str], texts: Iterable[Collection[str]]) -> list[str]:
    """Replace each word that no text has by the most similar word of the texts, if there is a similar word.

    A similar word has the same beginning. It has the same stem, or differs in one letter (in two if the word
    is long). Of several equally similar words, the word that occurs in most texts is chosen.

    >>> match_forms(["gorbatchev", "neighbours", "wall"], [["gorbachev", "wall"], ["neighbors"]])
    ['gorbachev', 'neighbors', 'wall']
    """
    counts = Counter(word for text in texts for word in set(text))
    return [word if word in counts else _find_similar(word, counts) for word in words]


def _find_similar(word: str, counts: Counter[str]) -> str:
    if len(word) < LEAST_LETTERS or not word.isalpha():
        return word
    most = 2 if len(word) >= LONG_WORD else 1
    alike = [other for other in counts if other[0] == word[0] and abs(len(other) - len(word)) <= most + 1]
    near = process.extract(word, alike, scorer=OSA.distance, score_cutoff=most, limit=None)
    ranked = [(int(distance), -counts[other], other) for other, distance, _ in near]
    stem = shorten_word(word)
    ranked += [(0, -counts[other], other) for other in alike if shorten_word(other) == stem]
    return min(ranked)[2] if ranked else word
