"""Choose the words of a query that distinguish paragraphs best."""

from __future__ import annotations

from collections.abc import Sequence


def select_rarest(words: Sequence[str], frequencies: Sequence[int], most: int) -> list[str]:
    """Return the `most` least frequent words, in their original order; of equally frequent ones, the earlier.

    Words of frequency 0 are dropped. Frequent words take most of a query's time and distinguish least.

    >>> select_rarest(["a", "b", "c", "d"], [9, 0, 2, 5], 2)
    ['c', 'd']
    """
    present = [i for i, count in enumerate(frequencies) if count > 0]
    kept = sorted(present, key=lambda i: (frequencies[i], i))[:most]
    return [words[i] for i in sorted(kept)]
