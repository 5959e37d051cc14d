"""Paragraphs as a file has them, with what the file itself says is no speech."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from indexer.characters import normalised, one_line
from indexer.stage import Removal
from rostrum.core.types import MarkKind


class Aside(NamedTuple):
    """Words that a file gives beside the speech, and what kind of mark they become."""

    kind: MarkKind
    text: str


class Block(NamedTuple):
    """A paragraph with its asides still in `text`; `removals` are their ranges, in order and apart."""

    text: str
    removals: tuple[Removal, ...] = ()

    def masked(self) -> str:
        """The text with its removals blotted out, offsets unchanged: nothing is recognised within them."""
        kept, position = [], 0
        for start, end, _ in self.removals:
            kept += [self.text[position:start], "\0" * (end - start)]
            position = end
        return "".join(kept) + self.text[position:]


Piece = str | Aside


def block(pieces: Iterable[Piece]) -> Block:
    r"""The block of speech and asides in order; spaces are folded, a line end in speech stays.

    >>> block(["Thank ", " you.", Aside("stage", "Applause"), "\n  Now."])
    Block(text='Thank you.Applause\nNow.', removals=((10, 18, 'stage'),))
    """
    texts: list[str] = []
    removals: list[Removal] = []
    length = 0
    for kind, text in _merged(pieces):
        text = text if texts else text.lstrip()
        if kind and text:
            removals.append((length, length + len(text), kind))
        texts += [text] if text else []
        length += len(text)
    whole = "".join(texts).rstrip()
    return Block(whole, tuple(removals))


def _merged(pieces: Iterable[Piece]) -> Iterator[tuple[MarkKind | None, str]]:
    """Neighbouring pieces of speech as one, in NFC; an aside alone, on one line."""
    for asides, run in groupby(pieces, key=lambda piece: isinstance(piece, Aside)):
        if not asides:
            yield None, _folded(normalised("".join(str(piece) for piece in run)))
            continue
        yield from ((piece.kind, one_line(piece.text)) for piece in run if isinstance(piece, Aside))


def _folded(text: str) -> str:
    return re.sub(r" ?\n ?", "\n", re.sub(r"[ \t]+", " ", text))
