"""Read one generation (a version of an archive): its SQLite file, both text indexes and the vectors."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from embedded.archive import Archive
from embedded.columns import Columns
from embedded.contents import ARCHIVE, COLUMNS, DOCUMENTS, PARAGRAPHS, VECTORS, WORDING
from embedded.dense import PROBE_ALL_LIMIT, DenseIndex, multiply_rows
from embedded.lexical import LexicalIndex
from embedded.numbering import Numbering
from embedded.wording import WordingIndex, index_wording
from rostrum_core.errors import StoreError
from rostrum_core.names import match_names
from rostrum_core.types import Document, DocumentInfo, Filter, Paragraph, Tokens

CACHED_ROWS = 1 << 12
"""Number of paragraphs cached with their tokens, some 4 KB each; a draft reads 300 of them."""

CACHED_DOCUMENTS = 64
"""Number of documents cached with their paragraphs, some 100 KB each; ten answers come from five to ten."""

TOGETHER = 500
"""Number of documents listed per SQL statement."""


class Reader:
    """Read one generation of an archive from its folder.

    All files are opened at once, so that the reader stays usable if the folder is removed. `dense` (the
    vector index) and `columns` (arrays of what searches read most) are `None` if there are no paragraphs.
    `columns` is also `None` if an earlier version of Rostrum wrote the generation. `threads` is a pool of
    threads that search vectors while the calling thread searches words.

    Raises:
        StoreError: an index is missing or damaged.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._building = threading.Lock()
        self.threads = ThreadPoolExecutor(os.cpu_count(), "rostrum-vectors")
        self.archive = Archive.immutable(folder / ARCHIVE)
        self.numbering = Numbering(self.archive.list_documents())
        self.read_document = lru_cache(CACHED_DOCUMENTS)(self.archive.read_document)
        self._cached_infos: dict[int, DocumentInfo] = {}
        self._cached_rows: dict[int, tuple[Paragraph, Tokens]] = {}
        try:
            self.paragraphs = LexicalIndex.open(folder / PARAGRAPHS)
            self.documents = LexicalIndex.open(folder / DOCUMENTS)
            self.dense = DenseIndex.open(folder / VECTORS) if self.numbering.paragraphs else None
            self.columns = Columns.open(folder / COLUMNS) if (folder / COLUMNS).exists() else None
            self._wording = WordingIndex.open(folder / WORDING) if (folder / WORDING).exists() else None
        except StoreError as error:
            raise StoreError(f"{error}; if it is damaged, `rostrum index --fresh` rebuilds it") from error

    @property
    def wording(self) -> WordingIndex:
        """Return the index of runs of three words, which finds paragraphs with the same wording as a text.

        If an earlier version of Rostrum wrote the generation without this index, it is built in memory.
        """
        with self._building:
            if self._wording is None:
                self._wording = index_wording(self.archive)
            return self._wording

    def find_wording(self, text: str, limit: int, passing: NDArray[np.bool_] | None) -> list[Paragraph]:
        """Return the `limit` paragraphs that share the most runs of words with `text`, then the paragraphs
        before and after them in their documents.

        If the mask `passing` is set, only its paragraphs are compared with `text`. The paragraphs before and
        after them need not be in the mask.
        """
        hits = self.wording.find_best(text, limit, passing, self.numbering.map_documents)
        steps = [hits + step for step in (-1, 1)]
        documents = self.numbering.map_documents(hits)
        steps = [step[self.numbering.map_documents(step) == documents] for step in steps]
        adjacent = np.setdiff1d(np.concatenate(steps), hits)
        return [paragraph for paragraph, _ in self.read_rows(np.concatenate([hits, adjacent[adjacent >= 0]]))]

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order, cached; `None` if no document has this id."""
        number = self.numbering.number(document_id)
        return None if number is None else self.read_document(int(self.numbering.keys[number]))

    def read_infos(self, ids: Sequence[str] | None, after: str = "") -> Iterator[DocumentInfo]:
        """Yield the metadata of the documents whose id comes after `after`, in the order of ids.

        If `ids` is set, only documents with these ids are read.
        """
        start = self.numbering.find_following(after)
        if ids is None:
            keys = self.numbering.keys[start:].tolist()
        else:
            numbers = {self.numbering.number(document_id) for document_id in ids}
            chosen = sorted(number for number in numbers if number is not None and number >= start)
            keys = self.numbering.keys[chosen].tolist()
        for first in range(0, len(keys), TOGETHER):
            batch = keys[first : first + TOGETHER]
            infos = self.archive.read_infos(batch)
            yield from (infos[key] for key in batch)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Return the names of all speakers of the archive, sorted."""
        return tuple(sorted({name for info in self.read_infos(None) for name in info.speakers}))

    def name_speakers(self, filter: Filter) -> Filter | None:
        """Complete the names of speakers in a filter: "lincoln" -> "Abraham Lincoln".

        Return `None` if no speaker of the archive matches.
        """
        if not filter.speakers:
            return filter
        names = match_names(self.speakers, filter.speakers)
        return replace(filter, speakers=names) if names else None

    def mask_passing(self, filter: Filter) -> NDArray[np.bool_]:
        """Return a mask of the paragraphs that pass a filter, bool (paragraphs,).

        Speakers in the filter must be whole names: see `name_speakers`.
        """
        if not filter.speakers:
            return self.numbering.mask(self.documents.list_passing(filter))
        mask = np.zeros(self.numbering.paragraphs, np.bool_)
        mask[self.paragraphs.list_passing(filter)] = True
        return mask

    def read_rows(self, numbers: NDArray[np.int64]) -> list[tuple[Paragraph, Tokens]]:
        """Return (paragraph, tokens) for each of these paragraph numbers, in the order of `numbers`.

        Results are cached.
        """
        rows = {number: self._cached_rows.get(number) for number in numbers.tolist()}
        missing = [number for number, row in rows.items() if row is None]
        read = dict(zip(missing, self._read_rows(np.array(missing, np.int64)), strict=True))
        if len(self._cached_rows) + len(read) > CACHED_ROWS:
            self._cached_rows = {}
        self._cached_rows.update(islice(read.items(), CACHED_ROWS))
        return [rows[number] or read[number] for number in numbers.tolist()]

    def _read_rows(self, numbers: NDArray[np.int64]) -> list[tuple[Paragraph, Tokens]]:
        owners = [self.numbering.ids[document] for document in self.numbering.map_documents(numbers).tolist()]
        return self.archive.read_paragraphs(self.numbering.list_paragraph_keys(numbers), owners)

    @property
    def vectors(self) -> NDArray[np.float32] | None:
        """Return the vectors of all paragraphs, float32 (paragraphs, width).

        Return `None` if only the SQLite file has the exact vectors.
        """
        resident = None if self.dense is None else self.dense.get_vectors()
        return self.columns.vectors if resident is None and self.columns is not None else resident

    def read_pieces(
        self, numbers: NDArray[np.int64], *, with_vectors: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float32] | None]:
        """Return (ids, ends, vectors) for the paragraphs with these numbers, in the order of `numbers`.

        `ids` has the WordPiece ids of all these paragraphs; the ids of the i-th paragraph end before index
        `ends[i]`. `vectors` are float32 (n, width), or `None` if `with_vectors` is false.
        """
        every = self.vectors if with_vectors else None
        if self.columns is not None:
            ids, ends = self.columns.pieces.take(numbers)
            return ids.astype(np.int32), ends, None if every is None else every[numbers]
        keys = self.numbering.list_paragraph_keys(numbers)
        ids, ends, vectors = self.archive.read_pieces(keys, with_vectors=with_vectors and every is None)
        return ids, ends, vectors if every is None else every[numbers]

    def search_nearest(
        self, vector: NDArray[np.float32], limit: int, mask: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Return the numbers of the `limit` paragraphs whose vectors are nearest to `vector`, nearest first.

        If `mask` is set, only paragraphs in the mask are returned. If the mask has few paragraphs, each of
        them is compared, because the vector index would have to search all its clusters.
        """
        every = None if self.columns is None else self.columns.vectors
        if self.dense is None:
            return np.empty(0, np.int64)
        if every is None or mask is None or np.count_nonzero(mask) > PROBE_ALL_LIMIT:
            return self.dense.search_best(vector, limit, mask)
        numbers = np.flatnonzero(mask)
        return numbers[np.argsort(-multiply_rows(every, numbers, vector), kind="stable")[:limit]]

    def score_paragraphs(self, text: str, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the BM25 scores of the paragraphs `numbers` for the words of `text`, in the order of
        `numbers`.

        The score is NaN for a paragraph that has none of the words.
        """
        if self.columns is None:
            return np.array(self.paragraphs.score_texts(text, numbers.tolist()), np.float64)
        return self.columns.terms.score(self.paragraphs.count_terms(text), numbers)

    def list_days_and_speakers(
        self, documents: NDArray[np.int64]
    ) -> tuple[list[str | None], list[str | None]]:
        """Return (days, speakers): the date and the speaker of each of these documents, in order.

        `documents` are document numbers. Results are cached.
        """
        missing = [number for number in documents.tolist() if number not in self._cached_infos]
        infos = self.archive.read_infos(self.numbering.keys[missing].tolist()) if missing else {}
        self._cached_infos |= {number: infos[int(self.numbering.keys[number])] for number in missing}
        infos_found = [self._cached_infos[number] for number in documents.tolist()]
        return [info.spoken_on for info in infos_found], [info.speaker for info in infos_found]
