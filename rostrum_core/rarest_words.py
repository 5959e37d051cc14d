"""Choose the words of a query that distinguish most."""

from __future__ import annotations

from collections.abc import Sequence


def select_rarest(words: Sequence[str], frequencies: Sequence[int], most: int) -> list[str]:
    """Return the `most` words of least frequency above 0, in their own order; ties go to the earlier word.

    Frequent words cost most of a query's time and distinguish least; words in no paragraph match nothing.

    >>> select_rarest(["a", "b", "c", "d"], [9, 0, 2, 5], 2)
    ['c', 'd']
    """
    present = [i for i, count in enumerate(frequencies) if count > 0]
    kept = sorted(present, key=lambda i: (frequencies[i], i))[:most]
    return [words[i] for i in sorted(kept)]
