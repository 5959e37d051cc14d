"""Store rows of different lengths in two arrays: the values of all rows in order, and the end of each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Ragged:
    """Hold n rows of different lengths in two arrays.

    `values` has the values of all rows in order. The values of row i end before index `ends[i]`; `ends` is
    int64 (n,). The example has the rows [7, 8], [] and [9, 6].

    >>> rows = Ragged(np.array([7, 8, 9, 6]), np.array([2, 2, 4]))
    >>> [array.tolist() for array in rows.take(np.array([2, 0]))]
    [[9, 6, 7, 8], [2, 4]]
    """

    values: NDArray[Any]
    ends: NDArray[np.int64]

    @classmethod
    def concatenate(cls, parts: Iterable[Ragged]) -> Ragged:
        """Join several objects to one that has the rows of all of them in order; at least one must be given.

        >>> rows = Ragged(np.array([7, 8, 9, 6]), np.array([2, 2, 4]))
        >>> joined = Ragged.concatenate([rows.slice(2, 3), rows.slice(0, 2)])
        >>> joined.values.tolist(), joined.ends.tolist()
        ([9, 6, 7, 8], [2, 4, 4])
        """
        listed = list(parts)
        firsts = np.cumsum([0, *(len(part.values) for part in listed)], dtype=np.int64)
        ends = [part.ends + first for part, first in zip(listed, firsts, strict=False)]
        return cls(np.concatenate([part.values for part in listed]), np.concatenate(ends))

    def slice(self, first: int, last: int) -> Ragged:
        """Return the rows from number `first` to before number `last`, without copying their values."""
        begin, end = (int(self.ends[row - 1]) if row else 0 for row in (first, last))
        return Ragged(self.values[begin:end], self.ends[first:last] - begin)

    def take(self, numbers: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return (values, ends) of the rows with these numbers, in the order of `numbers`.

        `values` has the values of these rows, one row after the other. The values of the i-th of these rows
        end before index `ends[i]`.
        """
        begins = np.where(numbers > 0, self.ends[numbers - 1], 0)
        sizes = self.ends[numbers] - begins
        ends = np.cumsum(sizes)
        places = np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)
        return self.values[places], ends
