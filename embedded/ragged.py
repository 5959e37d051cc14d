"""Store rows of different lengths in two arrays: the values of all rows in order, and the end of each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Ragged:
    """Hold n rows: `values` are those of all rows in order; row i ends before `ends[i]`, int64 (n,).

    >>> rows = Ragged(np.array([7, 8, 9, 6]), np.array([2, 2, 4]))
    >>> [array.tolist() for array in rows.take(np.array([2, 0]))]
    [[9, 6, 7, 8], [2, 4]]
    """

    values: NDArray[Any]
    ends: NDArray[np.int64]

    def take(self, numbers: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the values of the rows with these numbers, one row after the other, and the end of each
        row.
        """
        begins = np.where(numbers > 0, self.ends[numbers - 1], 0)
        sizes = self.ends[numbers] - begins
        ends = np.cumsum(sizes)
        places = np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)
        return self.values[places], ends
