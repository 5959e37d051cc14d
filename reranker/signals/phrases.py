"""What a draft quotes already: the phrases that it shares with paragraphs.

A writer who has quoted a speech once quotes it again. Of 300 drafts of dev, 150 share six WordPieces in a row
with the speech that they quote next (docs/decisions/0009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import Ids

PHRASE_PIECES = 6  # 4 to 8 tried on dev: shorter ones name too many documents, longer ones too few

MULTIPLIER = np.uint64(6364136223846793005)  # of Knuth's MMIX generator; any odd one spreads 15-bit ids


@dataclass(frozen=True, eq=False)
class Shared:
    """The phrases of a draft that stand in paragraphs: (finds,) each.

    `owners` are paragraphs, `firsts` the place of the phrase's first piece in its paragraph, `numbers` what
    `phrases` makes of it.
    """

    owners: NDArray[np.int64]
    firsts: NDArray[np.int64]
    numbers: NDArray[np.uint64]


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


def shared_phrases(draft: Ids, paragraphs: Sequence[Ids]) -> Shared:
    """Which paragraph holds which of the draft's phrases, and where, in order.

    All paragraphs are read as one; a run that begins in one and ends in another is no phrase.
    """
    lengths = np.array([len(ids) for ids in paragraphs], np.int64)
    owners = np.repeat(np.arange(len(paragraphs)), lengths)
    numbers = phrases(np.concatenate([np.empty(0, np.int32), *paragraphs]))
    first, last = owners[: len(numbers)], owners[len(owners) - len(numbers) :]
    held = np.flatnonzero(np.isin(numbers, phrases(draft)) & (first == last))
    begins = np.cumsum(lengths) - lengths
    return Shared(first[held], held - begins[first[held]], numbers[held])


def quoted(shared: Sequence[Shared], documents: Sequence[str]) -> list[float]:
    """How much of its document a draft quotes, for each of n paragraphs: log(1 + different phrases).

    `shared` are the finds of the draft's parts in the paragraphs, whose `documents` are given.

    >>> said = [np.arange(6, dtype=np.int32), np.array([9], np.int32), np.array([9], np.int32)]
    >>> found = quoted([shared_phrases(said[0], said)], ["a", "a", "b"])
    >>> [round(x, 3) for x in found]
    [0.693, 0.693, 0.0]
    """
    if not len(documents):
        return []
    _, places = np.unique(np.array(documents), return_inverse=True)
    owners = np.concatenate([np.empty(0, np.int64), *(each.owners for each in shared)])
    numbers = np.concatenate([np.empty(0, np.uint64), *(each.numbers for each in shared)])
    different = np.unique(np.stack([places[owners].astype(np.uint64), numbers]), axis=1)
    counts = np.bincount(different[0].astype(np.int64), minlength=int(places.max()) + 1)
    found: list[float] = np.log1p(counts)[places].tolist()
    return found
