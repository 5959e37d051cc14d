"""Copy data of unchanged documents from the base of a generation, instead of computing it again.

The base is the generation from which this one was copied. Only whole documents are reused. Their rows in the
SQLite file need no work, because the file is a copy of the base's.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedded.archive import Archive
from embedded.contents import ARCHIVE, RULES, Contents
from embedded.ragged import Ragged
from rostrum_core.errors import StoreError


@dataclass(frozen=True, eq=False, slots=True)
class RowMap:
    """Map the paragraphs of an archive to those of its base, the generation from which it was copied.

    `rows`, int64 (paragraphs,), has each paragraph's number in the base, in ascending order. It is -1 for the
    paragraphs of documents that were written after the archive was copied. `documents` are the keys of
    these documents, in order. `base_rows` is the number of paragraphs of the base.

    In the example, the document with the key 9 is new. Those with the keys 4 and 5 are unchanged: in the
    base, which has 6 paragraphs, they begin at paragraphs 0 and 3.

    >>> row_map = RowMap.of([(4, "a", 1), (9, "b", 2), (5, "c", 1)], {4: 0, 5: 3}, 6)
    >>> row_map.rows.tolist(), row_map.documents
    ([0, -1, -1, 3], [9])
    >>> list(row_map.list_runs()), row_map.list_removed().tolist()
    ([(True, 0, 1), (False, 0, 2), (True, 3, 4)], [1, 2, 4, 5])
    """

    rows: NDArray[np.int64]
    documents: Sequence[int]
    base_rows: int

    @classmethod
    def of(cls, listing: Sequence[tuple[int, str, int]], firsts: Mapping[int, int], base_rows: int) -> RowMap:
        """Build the map from the archive's documents, given as (key, id, number of paragraphs), ordered by
        id.

        `firsts` maps the key of each unchanged document to the number of its first paragraph in the base.
        """
        rows = [_number_rows(firsts.get(key), count) for key, _, count in listing]
        written = [key for key, _, _ in listing if key not in firsts]
        return cls(np.concatenate([np.empty(0, np.int64), *rows]), written, base_rows)

    @classmethod
    def of_new(cls, archive: Archive) -> RowMap:
        """Return the map of an archive that has no base: all its paragraphs are new."""
        return cls.of(archive.list_documents(), {}, 0)

    @classmethod
    def between(cls, archive: Archive, base: Archive, written: Set[int]) -> RowMap:
        """Map the paragraphs of an archive to those of `base`, from which the archive was copied.

        `written` are the keys of the documents that were written after the copy; their paragraphs are new.
        """
        listing = base.list_documents()
        ends = np.cumsum([count for _, _, count in listing], dtype=np.int64).tolist()
        firsts = {
            key: end - count for (key, _, count), end in zip(listing, ends, strict=True) if key not in written
        }
        return cls.of(archive.list_documents(), firsts, ends[-1] if ends else 0)

    def list_runs(self) -> Iterator[tuple[bool, int, int]]:
        """Split the rows of the archive into runs of consecutive rows, and yield (is_copied, first, end).

        If `is_copied` is true, the run is a copy of the base's rows `first` to `end` (exclusive). Otherwise,
        it has the new rows `first` to `end`. New rows are numbered from 0, in the order of `documents`.
        """
        is_kept = self.rows >= 0
        places = np.where(is_kept, self.rows, np.cumsum(~is_kept) - 1)
        breaks = (np.diff(places) != 1) | np.diff(is_kept)
        begins = np.flatnonzero(np.append(len(places) > 0, breaks))
        sizes = np.diff(np.append(begins, len(places)))
        runs = zip(is_kept[begins].tolist(), places[begins].tolist(), sizes.tolist(), strict=True)
        yield from ((kept, first, first + size) for kept, first, size in runs)

    def list_removed(self) -> NDArray[np.int64]:
        """Return the numbers of the base's paragraphs that this archive no longer has, ascending.

        The paragraphs of a replaced document count as removed.
        """
        return np.setdiff1d(np.arange(self.base_rows), self.rows, assume_unique=True)

    def join(self, kept: Ragged, new: Ragged) -> Ragged:
        """Return the rows of all paragraphs of the archive, in order: one row for each paragraph.

        `kept` has the rows of all paragraphs of the base; those of removed paragraphs are left out. `new` has
        the rows of the paragraphs that the base does not have.

        Raises:
            StoreError: `kept` or `new` has another number of rows than this map expects.
        """
        if (len(kept.ends), len(new.ends)) != (self.base_rows, int(np.count_nonzero(self.rows < 0))):
            raise StoreError("the archive has not as many paragraphs as its documents say")
        runs = ((kept if is_kept else new).slice(*bounds) for is_kept, *bounds in self.list_runs())
        return Ragged.concatenate([new.slice(0, 0), *runs])


@dataclass(frozen=True, eq=False, slots=True)
class Base:
    """Hold the base of an archive (the generation from which it was copied), to copy unchanged data from it.

    `contents` has the recorded checksums of the base. `rows` maps the archive's paragraphs to those of the
    base. `has_same_rules` is true if the rules that turn texts into words and terms have not changed since
    the base was indexed.
    """

    folder: Path
    contents: Contents
    rows: RowMap
    has_same_rules: bool

    @classmethod
    def open(cls, archive: Archive, folder: Path, rules: Mapping[str, Any]) -> Base | None:
        """Return the base of an archive: the generation in `folder` from which the archive was copied.

        `rules` are the current versions of the rules that turn texts into words and terms; they are compared
        with those of the base. Return `None` if the base cannot be read. Also return `None` if an earlier
        version of Rostrum began to write to the archive, because it did not record the documents that it
        wrote.
        """
        try:
            contents, written = Contents.read(folder), archive.list_written()
            if contents is None or written is None:
                return None
            rows = RowMap.between(archive, Archive.immutable(folder / ARCHIVE), written)
        except (OSError, sqlite3.Error):
            return None
        intact = contents.contain(folder / RULES, RULES)
        return cls(folder, contents, rows, intact and json.loads((folder / RULES).read_bytes()) == rules)

    def find(self, part: str) -> Path | None:
        """Return the path of a file or folder of the base generation, such as "vectors.faiss".

        Return `None` if it is missing, or has changed since it was written.
        """
        return self.folder / part if self.contents.contain_part(self.folder, part) else None

    def find_copyable(self, part: str) -> Path | None:
        """Return the path of a file or folder in the base generation, from which rows may be copied.

        Return `None` if the file is missing or changed, or if the rules that turn texts into words and terms
        have changed since the base was indexed.
        """
        return self.find(part) if self.has_same_rules else None


def _number_rows(first: int | None, count: int) -> NDArray[np.int64]:
    return np.full(count, -1, np.int64) if first is None else np.arange(first, first + count)
