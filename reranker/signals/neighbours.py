"""How well a draft matches what stands around a paragraph: speakers keep to a topic for a while.

The plain mean of both neighbours is as good as any weighting of more of them that was tried on dev
(docs/lab/experiments.md).
"""

from __future__ import annotations

from collections.abc import Sequence


def around(
    scores: Sequence[float | None], documents: Sequence[str], ordinals: Sequence[int]
) -> list[float | None]:
    """The mean score of the paragraphs before and after each of n; all `None` where no score is known.

    A neighbour that is not among these, or has no score, counts with the least score there is.

    >>> around([4.0, 2.0, None], ["a", "a", "b"], [0, 1, 0])
    [2.0, 3.0, 2.0]
    """
    known = [score for score in scores if score is not None]
    if not known:
        return [None] * len(scores)
    least = min(known)
    places = list(zip(documents, ordinals, strict=True))
    found = {place: score for place, score in zip(places, scores, strict=True) if score is not None}
    return [
        (found.get((document, ordinal - 1), least) + found.get((document, ordinal + 1), least)) / 2
        for document, ordinal in places
    ]
