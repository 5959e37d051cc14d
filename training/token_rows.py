"""Store the token ids of many texts as two arrays, so that a data set is one small file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import Ids
from rostrum_core.errors import BadInput

VOCABULARY_LIMIT = 2**16  # ids are stored as uint16


@dataclass(frozen=True)
class TokenRows:
    """Store token ids of texts: text i is `ids[offsets[i] : offsets[i + 1]]`.

    `ids` is uint16 (total,), `offsets` int32 (texts + 1,).

    >>> rows = TokenRows.of([np.array([7, 8]), np.array([], int), np.array([9])])
    >>> len(rows), rows[0].tolist(), rows[1].tolist()
    (3, [7, 8], [])
    """

    ids: NDArray[np.uint16]
    offsets: NDArray[np.int32]

    @classmethod
    def of(cls, texts: Sequence[NDArray[Any]]) -> TokenRows:
        """Store the token ids of `texts`, joined in one array.

        Raises:
            BadInput: if an id does not fit into 16 bits.
        """
        joined = np.concatenate([*texts, np.array([], np.int64)]).astype(np.int64)
        if len(joined) and joined.max() >= VOCABULARY_LIMIT:
            raise BadInput(f"token id {joined.max()} does not fit into 16 bits")
        lengths = np.array([len(text) for text in texts], np.int32)
        return cls(joined.astype(np.uint16), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Ids:
        """Return the token ids of the text with this index, as int32."""
        return self.ids[self.offsets[row] : self.offsets[row + 1]].astype(np.int32)

    def take(self, rows: Iterable[int]) -> list[Ids]:
        """Return the token ids of the texts with the indices `rows`, in this order."""
        return [self[row] for row in rows]


def save_arrays(path: Path, texts: Mapping[str, TokenRows], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write texts (as token ids) and other arrays, by name, to one `.npz` file."""
    parts: dict[str, Any] = dict(arrays)
    for name, rows in texts.items():
        parts |= {f"{name}.ids": rows.ids, f"{name}.offsets": rows.offsets}
    np.savez_compressed(path, **parts)


def load_arrays(path: Path) -> tuple[dict[str, TokenRows], dict[str, NDArray[Any]]]:
    """Read the texts (as token ids) and the other arrays, by name, from a file that `save_arrays` wrote.

    Raises:
        BadInput: if the file cannot be read.
    """
    try:
        with np.load(path) as opened:
            parts = {name: opened[name] for name in opened.files}
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is not a file of arrays: {error}") from error
    names = [name.removesuffix(".ids") for name in parts if name.endswith(".ids")]
    texts = {name: TokenRows(parts.pop(f"{name}.ids"), parts.pop(f"{name}.offsets")) for name in names}
    return texts, parts
