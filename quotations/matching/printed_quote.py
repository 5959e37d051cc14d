"""Parse the words of a printed quotation, including an editor's insertions and the places of omissions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quotations.text.spoken import is_sentence_start
from quotations.text.words import split_words

ELLIPSIS = re.compile(r"[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\s?\.\s?\.(?:\s?\.)*|\* \* \*")
# A bracket within a word, as in "[T]he", is part of it: see `quotations.text.words`.
BRACKET = re.compile(r"(?<!\w)\[[^\]]*\](?!\w)|\([^)]*\)")


@dataclass(frozen=True, slots=True, eq=False)
class Quoted:
    """Hold the n words of a quotation; `keys` are the words in the form in which they are compared.

    `parts` are the texts of the quotation, split at an interruption such as "he said". `inserted` bool (n,):
    the word is in brackets. `cut_after` bool (n,): an ellipsis or the end of a part follows. `part` int (n,):
    the index of the word's part. `starts`, `ends` int (n,): its character range in that part. `printed` is
    the number of words that are not in brackets.
    """

    parts: tuple[str, ...]
    keys: tuple[str, ...]
    inserted: NDArray[np.bool_]
    cut_after: NDArray[np.bool_]
    part: NDArray[np.intp]
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    printed: int

    @property
    def cuts(self) -> int:
        """Count the places where words may be omitted: ellipses, and interruptions such as "he said"."""
        return int(self.cut_after[:-1].sum())

    def get_text(self, first: int, stop: int) -> str:
        """Return the text of the quotation from word `first` to word `stop`, exclusive."""
        if stop <= first:
            return ""
        part, last_part = int(self.part[first]), int(self.part[stop - 1])
        start, end = int(self.starts[first]), int(self.ends[stop - 1])
        if part == last_part:
            return self.parts[part][start:end]
        inside = self.parts[part + 1 : last_part]
        return " ".join((self.parts[part][start:], *inside, self.parts[last_part][:end]))

    def is_sentence_start(self, at: int) -> bool:
        """Return whether word `at` is the first of a sentence, or of a part after "he said" or the like."""
        return is_sentence_start(self.parts[int(self.part[at])], int(self.starts[at]))

    def has_comma_before(self, at: int) -> bool:
        """Return whether a comma stands between word `at` and the word before it.

        If an interruption such as "he said" stands between the two words, return false.
        """
        if not 0 < at < len(self.keys) or self.part[at] != self.part[at - 1]:
            return False
        return "," in self.parts[int(self.part[at])][int(self.ends[at - 1]) : int(self.starts[at])]


def read_printed(parts: Sequence[str]) -> Quoted:
    """Parse the words of a quotation: see `Quoted` for the fields of the result.

    `parts` are the texts of the quotation, split at an interruption such as "he said". In the example, "the
    people" is inserted in brackets. Words are left out after "choose" (3), and may be after each part (5, 8).

    >>> printed = read_printed(["We [the people] choose ... to go", "to the moon."])
    >>> printed.keys[:4], printed.inserted[:4].tolist()
    (('we', 'the', 'people', 'choose'), [False, True, True, False])
    >>> printed.cut_after.nonzero()[0].tolist(), printed.part.tolist(), printed.printed
    ([3, 5, 8], [0, 0, 0, 0, 0, 0, 1, 1, 1], 7)
    """
    rows = [row for number, part in enumerate(parts) for row in _read_rows(part, number)]
    return Quoted(
        tuple(parts),
        tuple(row.key for row in rows),
        np.array([row.inserted for row in rows], np.bool_),
        np.array([row.cut_after for row in rows], np.bool_),
        np.array([row.part for row in rows], np.intp),
        np.array([row.start_char for row in rows], np.intp),
        np.array([row.end_char for row in rows], np.intp),
        len({(row.part, row.start_char) for row in rows if not row.inserted}),
    )


class _Row(NamedTuple):
    key: str
    start_char: int
    end_char: int
    inserted: bool
    cut_after: bool
    part: int


def _read_rows(text: str, part: int) -> Iterator[_Row]:
    """Yield a row for each word of `text`, one part of a quotation, such as the part before "he said".

    `part` is the number of the part. In a row, `cut_after` is true if an ellipsis or the end of `text`
    follows the word.
    """
    brackets = [bracket.span() for bracket in BRACKET.finditer(text)]
    at = 0
    for end in [*(ellipsis.start() for ellipsis in ELLIPSIS.finditer(text)), len(text)]:
        piece = split_words(text[at:end])
        for number, word in enumerate(piece, 1):
            start = at + word.start_char
            inserted = any(first <= start < last for first, last in brackets)
            yield _Row(word.key, start, at + word.end_char, inserted, number == len(piece), part)
        at = end
