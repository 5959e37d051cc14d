"""Split a text into marked and unmarked pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether it is marked."""

    text: str
    is_marked: bool


def cut_pieces(text: str, ranges: Sequence[tuple[int, int]]) -> list[Piece]:
    """Split a text at ranges and mark the pieces inside them.

    The ranges must be in order and must not overlap.

    >>> [(piece.text, piece.is_marked) for piece in cut_pieces("the moon", [(4, 8)])]
    [('the ', False), ('moon', True)]
    """
    pieces, position = list[Piece](), 0
    for start, end in ranges:
        pieces.append(Piece(text[position:start], False))
        pieces.append(Piece(text[start:end], True))
        position = end
    pieces.append(Piece(text[position:], False))
    return [piece for piece in pieces if piece.text]
