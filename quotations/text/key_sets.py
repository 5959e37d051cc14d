"""Collect the distinct words of a text, without order and positions.

This is several times as fast as `split_words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from itertools import chain
from typing import TypeVar

from quotations.text.numbers import NUMBERS
from quotations.text.words import split_keys, split_words

MOST_CHUNKS = 1 << 16
DASHES = "-‐‑–"
T = TypeVar("T")
SIGN = re.compile(r"No\. ?\d")


class KeySets:
    """Read the set of distinct words of a text, each mapped by the function `reduce`.

    `reduce` gets each word in lower case, and numbers in figures. It returns the word to use, or "" to drop
    the word. Each chunk of text between two spaces is parsed once and cached. Only number words are parsed
    together with adjacent chunks.

    >>> sorted(KeySets(lambda key: "" if key in ("of", "and") else key).read("“Twenty two of us, and us!”"))
    ['22', 'us']
    """

    def __init__(self, reduce: Callable[[str], str]) -> None:
        self._reduce = reduce
        self._chunks, self._runs = _Cache(self._read_chunk), _Cache(self._read_words)
        self._numeric = _Cache(self._has_number)

    def read(self, text: str) -> Set[str]:
        """Return the distinct words of a text, each replaced by what `reduce` returns for it."""
        chunks = text.split()
        keys = set(chain.from_iterable(map(self._chunks.__getitem__, chunks)))
        numbers = keys & NUMBERS
        if "thousand" in numbers or ("No." in text and SIGN.search(text)):  # read by what stands further on
            return set(self._read_words(text))
        return keys - numbers | self._read_figures(chunks) if numbers else keys

    def _read_figures(self, chunks: Sequence[str]) -> Set[str]:
        """Return the words of those chunks that may belong to a number, each mapped by `reduce`.

        A chunk is the text between two spaces. Adjacent chunks are parsed together if they may be one number:
        "twenty two" -> "22".
        """
        keys: set[str] = set()
        stop = 0
        for at in [at for at, is_numeric in enumerate(map(self._numeric.__getitem__, chunks)) if is_numeric]:
            if at >= stop:
                stop = at + 1
                while stop < len(chunks) and self._may_continue(chunks[stop]):
                    stop += 1
                keys.update(self._runs[" ".join(chunks[at:stop])])
        return keys

    def _may_continue(self, chunk: str) -> bool:
        """Return whether a chunk, the text between two spaces, may continue a number.

        Example: "and" and "one" continue the number in "two hundred and one".
        """
        return self._numeric[chunk] or "and" in chunk.lower() or not chunk.strip(DASHES)

    def _has_number(self, chunk: str) -> bool:
        return not NUMBERS.isdisjoint(self._chunks[chunk])

    def _read_chunk(self, chunk: str) -> tuple[str, ...]:
        """Return the words of a chunk, the text between two spaces, each mapped by `reduce`.

        Number words such as "two" are not mapped.
        """
        keys = (key if key in NUMBERS else self._reduce(key) for key in split_keys(chunk))
        return tuple(filter(None, keys))

    def _read_words(self, text: str) -> tuple[str, ...]:
        return tuple(filter(None, (self._reduce(word.key) for word in split_words(text))))


class _Cache(dict[str, T]):
    """Cache the results of a function.

    Unlike `lru_cache`, do not track the order of use, which costs more.
    """

    def __init__(self, read: Callable[[str], T]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> T:
        if len(self) >= MOST_CHUNKS:
            self.clear()
        value = self[text] = self._read(text)
        return value
