"""Number the documents and paragraphs of a published generation; all indexes use these numbers.

Documents are numbered from 0 in the order of their ids, paragraphs in the order of documents and ordinals.
The same content has the same numbers, in whatever order it was inserted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embedded.archive import ORDINALS


class Numbering:
    """Convert between ids, keys in the SQLite file, and numbers of documents and paragraphs.

    `listing` has (key, id, number of paragraphs) for each document, ordered by id.

    >>> numbering = Numbering([(7, "a", 2), (3, "b", 1)])
    >>> numbering.number("b"), numbering.number("c")
    (1, None)
    >>> numbering.find_following("a"), numbering.find_following("aa"), numbering.find_following("b")
    (1, 1, 2)
    >>> numbering.map_documents([0, 1, 2]).tolist()
    [0, 0, 1]
    """

    def __init__(self, listing: Sequence[tuple[int, str, int]]) -> None:
        self.ids = [document_id for _, document_id, _ in listing]
        self.keys = np.array([key for key, _, _ in listing], np.int64)
        self._ends = np.cumsum([count for _, _, count in listing], dtype=np.int64)

    @property
    def paragraphs(self) -> int:
        """Return how many paragraphs the documents have together."""
        return int(self._ends[-1]) if len(self._ends) else 0

    def number(self, document_id: str) -> int | None:
        """Return the number of the document with this id; `None` if the archive lacks it."""
        place = bisect_left(self.ids, document_id)
        return place if self.ids[place : place + 1] == [document_id] else None

    def find_following(self, document_id: str) -> int:
        """Return the number of the first document whose id comes after `document_id`, in the order of ids.

        If `document_id` is "", return 0, the number of the first document.
        """
        return bisect_right(self.ids, document_id) if document_id else 0

    def map_documents(self, paragraphs: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, for each of these paragraph numbers, the number of the document that has the paragraph."""
        return np.searchsorted(self._ends, np.asarray(paragraphs, np.int64), side="right")

    def list_paragraph_keys(self, paragraphs: NDArray[np.int64]) -> list[int]:
        """Return, for each of these paragraph numbers, the key of the paragraph in the SQLite file."""
        documents = self.map_documents(paragraphs)
        keys: list[int] = (self.keys[documents] * ORDINALS + self.map_ordinals(paragraphs)).tolist()
        return keys

    def map_ordinals(self, paragraphs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the position of each of these paragraphs in its document, counted from 0."""
        return paragraphs - self._firsts[self.map_documents(paragraphs)]

    def mask(self, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a mask of the paragraphs that belong to these documents, bool (paragraphs,)."""
        chosen = np.zeros(len(self.ids), np.bool_)
        chosen[documents] = True
        return np.repeat(chosen, np.diff(self._ends, prepend=0))

    @property
    def _firsts(self) -> NDArray[np.int64]:
        return np.concatenate([np.zeros(1, np.int64), self._ends[:-1]])
