"""The words of a quotation as it is printed: what an editor put in, and where something was left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from indexer.align.words import Word, words

ELLIPSIS = re.compile(r"[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\s?\.\s?\.(?:\s?\.)*|\* \* \*")
# A bracket within a word, as in "[T]he", is part of it: see `indexer.align.words`.
BRACKET = re.compile(r"(?<!\w)\[[^\]]*\](?!\w)|\([^)]*\)")


@dataclass(frozen=True, slots=True, eq=False)
class Quoted:
    """The n words of a quotation: `keys` as they are compared.

    `inserted` bool (n,): the word stands in brackets. `cut_after` bool (n,): an ellipsis or the end of a
    part follows it. `part` int (n,): which part it is of. `printed` is how many words a reader counts,
    without those in brackets.
    """

    keys: tuple[str, ...]
    inserted: NDArray[np.bool_]
    cut_after: NDArray[np.bool_]
    part: NDArray[np.intp]
    printed: int

    @property
    def cuts(self) -> int:
        """How many places there are where something may be left out."""
        return int(self.cut_after[:-1].sum())


def quoted(parts: Sequence[str]) -> Quoted:
    """The words of a quotation's parts.

    >>> found = quoted(["We [the people] choose ... to go", "to the moon."])
    >>> found.keys[:4], found.inserted[:4].tolist()
    (('we', 'the', 'people', 'choose'), [False, True, True, False])
    >>> found.cut_after.nonzero()[0].tolist(), found.part.tolist(), found.printed
    ([3, 5, 8], [0, 0, 0, 0, 0, 0, 1, 1, 1], 7)
    """
    found = [_piece(piece, number) for number, part in enumerate(parts) for piece in ELLIPSIS.split(part)]
    rows = [row for piece in found for row in piece]
    own = {
        (at, word.start_char) for at, piece in enumerate(found) for word, put_in, *_ in piece if not put_in
    }
    return Quoted(
        tuple(word.key for word, *_ in rows),
        np.array([put_in for _, put_in, *_ in rows], np.bool_),
        np.array([cut for *_, cut in rows], np.bool_),
        np.array([part for _, _, part, _ in rows], np.intp),
        len(own),
    )


def _piece(text: str, part: int) -> list[tuple[Word, bool, int, bool]]:
    """Each word up to an ellipsis: whether it stands in brackets, its part, whether it is the last one."""
    brackets = [found.span() for found in BRACKET.finditer(text)]
    found = words(text)
    return [
        (word, any(start <= word.start_char < end for start, end in brackets), part, at == len(found))
        for at, word in enumerate(found, 1)
    ]
