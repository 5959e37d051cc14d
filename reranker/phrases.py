"""What a draft quotes already: the phrases that it shares with paragraphs, and how near others stand to them.

A writer who has quoted a speech once quotes it again, and mostly from further on. Of 300 drafts of dev, 150
share six WordPieces in a row with the speech that they quote next (docs/decisions/0009).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reranker.wordpieces import Ids

Floats = NDArray[np.float64]

PHRASE_PIECES = 6  # 4 to 8 tried on dev: shorter ones name too many documents, longer ones too few
REACH = 10.0  # paragraphs over which nearness falls to 1/e; 5 to 30 are alike on dev
BEHIND = 0.5  # what stands before a quoted paragraph, or is that paragraph, counts half

MULTIPLIER = np.uint64(6364136223846793005)  # of Knuth's MMIX generator; any odd one spreads 15-bit ids


def already_quoted(
    draft: Ids, paragraphs: Sequence[Ids], documents: Sequence[str], ordinals: Sequence[int]
) -> tuple[list[float], list[float]]:
    """`quoted` and `near` of each of n paragraphs, given with WordPieces, document and ordinal.

    `quoted` is log(1 + different phrases that the draft shares with the document's paragraphs among these).
    `near` is exp(-distance / REACH) to the nearest paragraph of the document with such a phrase, times
    BEHIND where the paragraph does not stand after it; 0 where there is none.

    >>> said = [np.arange(6, dtype=np.int32), np.array([9], np.int32), np.array([9], np.int32)]
    >>> quoted, near = already_quoted(np.arange(6, dtype=np.int32), said, ["a", "a", "b"], [0, 1, 0])
    >>> [round(x, 3) for x in quoted], [round(x, 3) for x in near]
    ([0.693, 0.693, 0.0], [0.5, 0.905, 0.0])
    """
    if not len(paragraphs):
        return [], []
    owners, shared = _shared(draft, paragraphs)
    _, places = np.unique(np.array(documents), return_inverse=True)
    return (
        _quoted(places, owners, shared).tolist(),
        _near(places, np.array(ordinals), np.unique(owners)).tolist(),
    )


def phrases(ids: Ids) -> NDArray[np.uint64]:
    """A number for each run of `PHRASE_PIECES` ids, in order: the same run, the same number.

    >>> len(phrases(np.arange(8, dtype=np.int32))), len(phrases(np.arange(3, dtype=np.int32)))
    (3, 0)
    """
    count = max(0, len(ids) - PHRASE_PIECES + 1)
    numbers = np.zeros(count, np.uint64)
    for offset in range(PHRASE_PIECES):
        numbers = numbers * MULTIPLIER + ids[offset : offset + count].astype(np.uint64)
    return numbers


def _shared(draft: Ids, paragraphs: Sequence[Ids]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Which paragraph holds which of the draft's phrases: two arrays of the number of finds.

    All paragraphs are read as one; a run that begins in one and ends in another is no phrase.
    """
    owners = np.repeat(np.arange(len(paragraphs)), [len(ids) for ids in paragraphs])
    numbers = phrases(np.concatenate(paragraphs))
    first, last = owners[: len(numbers)], owners[len(owners) - len(numbers) :]
    held = np.isin(numbers, phrases(draft)) & (first == last)
    return first[held], numbers[held]


def _quoted(places: NDArray[np.int64], owners: NDArray[np.int64], shared: NDArray[np.uint64]) -> Floats:
    different = np.unique(np.stack([places[owners].astype(np.uint64), shared]), axis=1)
    counts = np.bincount(different[0].astype(np.int64), minlength=int(places.max()) + 1)
    found: Floats = np.log1p(counts)[places]
    return found


def _near(places: NDArray[np.int64], ordinals: NDArray[np.int64], sources: NDArray[np.int64]) -> Floats:
    nearness = np.zeros(len(places))
    for source in sources:
        ahead = ordinals - ordinals[source]
        weights = np.where(ahead > 0, 1.0, BEHIND) * np.exp(-np.abs(ahead) / REACH)
        nearness = np.maximum(nearness, np.where(places == places[source], weights, 0.0))
    return nearness
