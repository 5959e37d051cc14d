"""Choose the words of a query that distinguish paragraphs best."""

from __future__ import annotations

from collections.abc import Sequence


def select_rarest(words: Sequence[str], frequencies: Sequence[int], most: int) -> list[str]:
    """Return the least frequent words of a query, at most `most`, in their original order.

    `frequencies` are the numbers of paragraphs that contain the words. Words of frequency 0 are dropped; of
    equally frequent words, the earlier ones are chosen. Frequent words take most of a query's time and
    distinguish paragraphs least.

    >>> select_rarest(["a", "b", "c", "d"], [9, 0, 2, 5], 2)
    ['c', 'd']
    """
    present = [i for i, count in enumerate(frequencies) if count > 0]
    kept = sorted(present, key=lambda i: (frequencies[i], i))[:most]
    return [words[i] for i in sorted(kept)]
