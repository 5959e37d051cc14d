"""Define the table of word embeddings that encoder and ranker share: int8 rows, with one scale per row.

The table is stored outside the ONNX graphs, so that it is stored and loaded only once. The models are trained
on the rounded rows, so nothing is lost between training and use. The only exception is the row of the token
`[body_start]`, which is trained as floats and then rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class WordLookup(Protocol):
    """Look up word embeddings in the engine's memory: in a `WordTable`, or in its copy on a GPU."""

    @property
    def width(self) -> int:
        """Return the length of an embedding."""

    def lookup(self, ids: NDArray[np.int32]) -> NDArray[Any]:
        """Return embeddings of token ids, in a form that only a graph of the same engine can read."""


@dataclass(frozen=True)
class WordTable:
    """Hold the table of word embeddings: `rows` int8 (vocabulary, width), `scales` float32 (vocabulary,).

    The embedding of a token is its row times its scale.
    """

    rows: NDArray[np.int8]
    scales: NDArray[np.float32]

    @property
    def width(self) -> int:
        """Return the length of a row, the width of the models' vectors."""
        return int(self.rows.shape[1])

    def lookup(self, ids: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return embeddings of token ids of any shape: float32, the ids' shape with the width appended.

        >>> table = quantise(np.array([[0.0, 1.27], [-2.54, 0.02]], np.float32))
        >>> np.allclose(table.lookup(np.array([1, 0])), [[-2.54, 0.02], [0.0, 1.27]])
        True
        """
        return self.rows[ids].astype(np.float32) * self.scales[ids][..., None]


def quantise(table: NDArray[np.float32]) -> WordTable:
    """Round the rows of a float32 table to int8, and return them with one scale for each row.

    The largest magnitude of a row becomes 127; a row of zeros stays zero.
    """
    scales = (np.abs(table).max(axis=1) / 127).astype(np.float32)
    safe = np.where(scales == 0, np.float32(1), scales)
    return WordTable(np.rint(table / safe[:, None]).astype(np.int8), scales)
