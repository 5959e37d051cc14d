"""Find paragraphs that share runs of words with a text, by an index of every three consecutive words.

Every run of three words is hashed, and the leading bits of its hash name a bucket. A paragraph is in the
bucket of each run that begins in it; the run may end in the next paragraph of its document. The file has
little-endian uint32: the number of bits that name a bucket, the start of each bucket, and the paragraphs of
each bucket, ascending. The file is mapped, not read: a lookup touches a few pages. 390,000 paragraphs (24
million words) take 130 MB.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from embedded.archive import Archive
from embedded.contents import WORDING
from embedded.reuse import Base, RowMap
from rostrum_core.errors import StoreError

RUN_WORDS: Final = 3
MOST_HITS: Final = 200_000
"""Most postings read per lookup, rarest runs first: about a millisecond for 100,000."""

POSTINGS_PER_BUCKET: Final = 4
LEAST_BITS: Final = 16
RUNS_RULES: Final = 1
"""Version of the rules by which runs of words are hashed. Postings by another are not copied."""

NUMBER: Final = np.uint64(0xFFFFFFFF)
"""Bits of a posting that are the number of its paragraph."""

APOSTROPHES = re.compile("(?<=\\w)['’‘ʼ](?=\\w)")
WORD = re.compile(r"[^\W_]+")
FIRST, SECOND, THIRD = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
)

Hashes = NDArray[np.uint64]


class WordingIndex:
    """Find the numbers of the paragraphs that share runs of three words with a text.

    Paragraphs are numbered from 0 in the order in which they were added.

    >>> speeches = [["Ask not what your country", "can do for you."], ["Ask what you can do."]]
    >>> index = WordingIndex.build(speeches)
    >>> index.find_best("What your country can do", 10).tolist(), index.find_best("what you can", 10).tolist()
    ([0], [2])
    >>> index.find_best("never said", 10).tolist()
    []
    """

    def __init__(self, starts: NDArray[np.uint32], numbers: NDArray[np.uint32]) -> None:
        self._starts, self._numbers = starts, numbers
        self._shift = np.uint64(64 - (len(starts) - 1).bit_length() + 1)

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]]) -> WordingIndex:
        """Build an index of documents, each given as the texts of its paragraphs in order."""
        postings = _make_postings(documents)
        return cls._sort(_keep_bits(postings, bits := _count_bits(len(postings))), bits)

    @classmethod
    def _sort(cls, postings: Hashes, bits: int) -> WordingIndex:
        """Sort postings (see `_make_postings`), and build an index of them with 2**bits buckets.

        The first `bits` bits of a posting's hash are its bucket number. The other bits of the hash must be 0.
        """
        postings.sort()
        begins = np.arange((1 << bits) + 1, dtype=np.uint64) << np.uint64(64 - bits)
        starts = np.searchsorted(postings, begins[:-1]).astype(np.uint32)
        return cls(np.append(starts, np.uint32(len(postings))), (postings & NUMBER).astype(np.uint32))

    def update(self, documents: Iterable[Sequence[str]], rows: RowMap) -> WordingIndex | None:
        """Return the index of a whole archive: this index of the archive's base, updated.

        The base is the generation from which the archive was copied. `documents` are the paragraphs of each
        document that the base does not have. `rows` maps the archive's paragraphs to those of the base. The
        result is the same as if built from all paragraphs.

        Return `None` if the archive needs another number of buckets than this index. Then the index must be
        built from all paragraphs, because this one keeps only the bits of a hash that name its bucket.
        """
        is_kept = rows.rows >= 0
        numbers = np.full(rows.base_rows, -1, np.int64)
        numbers[rows.rows[is_kept]] = np.flatnonzero(is_kept)
        kept = numbers[self._numbers]
        buckets = np.repeat(np.arange(len(self._starts) - 1, dtype=np.uint64), np.diff(self._starts))
        buckets, kept = buckets[kept >= 0], kept[kept >= 0].astype(np.uint64)
        written = _make_postings(documents, np.flatnonzero(~is_kept))
        bits = _count_bits(len(kept) + len(written))
        if len(self._starts) != (1 << bits) + 1:
            return None
        buckets <<= np.uint64(64 - bits)
        return self._sort(np.concatenate([buckets | kept, _keep_bits(written, bits)]), bits)

    @classmethod
    def open(cls, path: Path) -> WordingIndex:
        """Open the index in a file that `save` wrote; the file is mapped into memory, not read.

        Raises:
            StoreError: the file does not exist or is damaged.
        """
        try:
            rows = np.memmap(path, "<u4", mode="r")
            bits = int(rows[0])
            starts, numbers = rows[1 : (1 << bits) + 2], rows[(1 << bits) + 2 :]
            if len(starts) != (1 << bits) + 1 or int(starts[-1]) != len(numbers):
                raise ValueError("its length is not what its first number says")
        except (ValueError, OSError, IndexError) as error:
            raise StoreError(f"the index of wordings {path} cannot be read: {error}") from error
        return cls(starts, numbers)

    def save(self, path: Path) -> None:
        """Write the index to a file.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            with path.open("wb") as file:
                file.write(np.array([(len(self._starts) - 1).bit_length() - 1], "<u4").tobytes())
                for row in (self._starts, self._numbers):
                    file.write(row.astype("<u4", copy=False).tobytes())
        except OSError as error:
            raise StoreError(f"the index of wordings cannot be written: {error}") from error

    def find_best(
        self,
        text: str,
        limit: int,
        passing: NDArray[np.bool_] | None = None,
        map_documents: Callable[[NDArray[np.int64]], NDArray[np.int64]] = np.zeros_like,
    ) -> NDArray[np.int64]:
        """Return the numbers of the `limit` paragraphs that share the most runs of words with `text`.

        The best paragraph comes first. Rare runs of words weigh more than frequent ones. Paragraphs with
        equal weight are ordered by number. The runs of a paragraph also count for the previous paragraph of
        its document, so that a text across two paragraphs is found. `passing` is true for the paragraphs that
        may be returned. `map_documents` maps paragraph numbers to document numbers; by default, all
        paragraphs count as one document.
        """
        numbers, weights = self._find_hits(text)
        if passing is not None:
            weights, numbers = weights[passing[numbers]], numbers[passing[numbers]]
        if not len(numbers):
            return np.empty(0, np.int64)
        result, inverse = np.unique(numbers, return_inverse=True)
        scores = np.bincount(inverse, weights)
        documents = map_documents(result.astype(np.int64))
        follows = np.flatnonzero((np.diff(result) == 1) & (np.diff(documents) == 0))
        together = scores.copy()
        together[follows] += scores[follows + 1]
        return result[np.lexsort((result, -together))[:limit]].astype(np.int64)

    def _find_hits(self, text: str) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """Return (numbers, weights): the paragraphs that share consecutive words with `text`, and the weight
        of these words.

        A paragraph occurs once for each run of consecutive words that it shares. The rarest runs come first,
        up to `MOST_HITS` paragraphs.
        """
        runs = np.unique(_hash_runs(_hash_words([text], {})[0]))
        buckets = np.unique((runs >> self._shift).astype(np.int64))
        lows, highs = self._starts[buckets].astype(np.int64), self._starts[buckets + 1].astype(np.int64)
        sizes = highs - lows
        order = np.argsort(sizes, kind="stable")
        order = order[
            (sizes[order] > 0) & (np.cumsum(sizes[order]) <= max(MOST_HITS, int(sizes[order[:1]].sum())))
        ]
        if not len(order):
            return np.empty(0, np.uint32), np.empty(0)
        weights = np.log2(1 + len(self._numbers) / sizes[order])
        numbers = np.concatenate([self._numbers[lows[at] : highs[at]] for at in order])
        return numbers, np.repeat(weights, sizes[order])


def index_wording(archive: Archive, base: Base | None = None) -> WordingIndex:
    """Return an index that finds paragraphs of an archive by runs of three words.

    `base` is the generation from which the archive was copied. If its index is undamaged, the entries of
    unchanged paragraphs are copied from there.
    """
    path = None if base is None else base.find_copyable(WORDING)
    if base is not None and path is not None:
        updated = WordingIndex.open(path).update(archive.read_texts(base.rows.documents), base.rows)
        if updated is not None:
            return updated
    return WordingIndex.build(archive.read_texts(key for key, _, _ in archive.list_documents()))


def _count_bits(postings: int) -> int:
    """Return how many leading bits of a hash name its bucket, in an index with this number of postings.

    A posting is a pair: the hash of a run of words, and a paragraph that has the run.
    """
    return max(LEAST_BITS, (postings // POSTINGS_PER_BUCKET).bit_length())


def _keep_bits(postings: Hashes, bits: int) -> Hashes:
    """Set all bits of the hash in each posting to 0, except the leading `bits`, which name the bucket.

    A posting has the hash of a run of words, and the number of a paragraph that contains the run.
    """
    bucket = np.uint64(((1 << bits) - 1) << (64 - bits))
    return postings & (bucket | NUMBER)


def _make_postings(documents: Iterable[Sequence[str]], numbers: NDArray[np.int64] | None = None) -> Hashes:
    """Return the distinct postings of documents, sorted; a posting says that a run occurs in a paragraph.

    A run is three consecutive words. The upper 32 bits of a posting are those of the run's hash, the lower 32
    bits are the number of the paragraph. `numbers` are the numbers of the paragraphs in order; by default,
    they count from 0.
    """
    vocabulary: dict[str, int] = {}
    parts, first = [np.empty(0, np.uint64)], 0
    for paragraphs in documents:
        words, owners = _hash_words(paragraphs, vocabulary)
        runs = _hash_runs(words)
        places = owners[: len(runs)] + first
        numbered = places if numbers is None else numbers[places]
        parts.append((runs & ~NUMBER) | numbered.astype(np.uint64))
        first += len(paragraphs)
    postings = np.concatenate(parts)
    postings.sort()
    distinct = np.ones(len(postings), np.bool_)
    np.not_equal(postings[1:], postings[:-1], out=distinct[1:])
    return postings[distinct]


def _hash_words(
    paragraphs: Sequence[str], vocabulary: dict[str, int]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return (hashes, owners): a hash of each word, and the index of the paragraph that has the word.

    `vocabulary` maps the words hashed so far to their hashes; new words are added to it.
    """
    hashes: list[int] = []
    counts = []
    for text in paragraphs:
        words = WORD.findall(APOSTROPHES.sub("", text.casefold()))
        for word in words:
            details = vocabulary.get(word)
            if details is None:
                details = vocabulary[word] = crc32(word.encode("utf-8", "replace"))
            hashes.append(details)
        counts.append(len(words))
    return np.array(hashes, np.uint64), np.repeat(np.arange(len(counts)), counts)


def _hash_runs(words: NDArray[np.uint64]) -> Hashes:
    """Return a hash for every run of three consecutive words, uint64 (n - 2,); `words` are the hashes of n
    words.
    """
    if len(words) < RUN_WORDS:
        return np.empty(0, np.uint64)
    mixed: Hashes = words[:-2] * FIRST ^ words[1:-1] * SECOND ^ words[2:] * THIRD
    mixed ^= mixed >> np.uint64(29)
    mixed *= FIRST
    return mixed
