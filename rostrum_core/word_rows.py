"""Store the distinct words of many texts as numbers in arrays, to find the texts that have a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

CACHED_WORDS = 1 << 16
LAST_BITS = 0xFFFF
"""Bits of a number by which most words are rejected before the search for it."""


@dataclass(frozen=True, eq=False, slots=True)
class WordRows:
    """Hold the distinct words of each of n texts, with a number for each word.

    `numbers` uint32 are the numbers of the words of all texts, in order; those of text i end before
    `ends[i]`, int64 (n,). A word has the same number in every process and archive.

    >>> rows = WordRows.of([{"moon"}, {"go", "moon"}])
    >>> [array.tolist() for array in rows.find(["moon", "sun"])]
    [[0, 1], [0, 0]]
    """

    numbers: NDArray[np.uint32]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> WordRows:
        """Build a `WordRows` from the distinct words of each text."""
        rows = [number_words(words) for words in texts]
        ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
        return cls(np.concatenate([np.empty(0, np.uint32), *rows]), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def find(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find the texts that have one of `words`; return two int64 arrays (matches,), ordered by text.

        The first array has the index of each match's text, the second the index of the matching word in
        `words`. The `words` must be distinct.
        """
        if not len(words):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        wanted = number_words(words)
        order = np.argsort(wanted)
        ascending = wanted[order]
        may_match = np.zeros(1 + LAST_BITS, np.bool_)
        may_match[wanted & LAST_BITS] = True
        places = np.flatnonzero(may_match.take(self.numbers & LAST_BITS))
        numbers = self.numbers[places]
        nearest = np.minimum(np.searchsorted(ascending, numbers), len(words) - 1)
        matches = ascending[nearest] == numbers
        return np.searchsorted(self.ends, places[matches], side="right"), order[nearest[matches]]


def number_words(words: Iterable[str]) -> NDArray[np.uint32]:
    """Return a number for each word, in order: the CRC-32 of its UTF-8 bytes.

    >>> number_words(["moon", "go"]).tolist()
    [3823912936, 3060306774]
    """
    return np.fromiter(map(_number_word, words), np.uint32)


@lru_cache(CACHED_WORDS)
def _number_word(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))
