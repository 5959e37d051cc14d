"""Compute the BM25 scores of a few chosen paragraphs, reading only the terms of these paragraphs.

A search collects candidate paragraphs in several ways, such as by words and by vectors, and each candidate
needs a BM25 score. tantivy could score the candidates by a query that lists them, but that takes five times
as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedded.analysis import build_analyser
from embedded.ragged import Ragged
from embedded.reuse import RowMap
from rostrum_core.packing import escape_surrogates

K1, B = 1.2, 0.75
"""As tantivy fixes them."""

EXACT_LENGTH = 24
"""Terms up to which Lucene keeps a length as it is; of what exceeds them it keeps 4 significant bits."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class TermIndex:
    """Hold the terms (stemmed words) of n texts, to score these texts by BM25.

    `hashes` uint64 are the hashes of all different terms, ascending. `counts[i]` is the number of texts that
    have the term with the hash `hashes[i]`. `terms` has a row for each text: the indices in `hashes` of its
    terms.

    >>> index = TermIndex.build(["A new nation.", "Seven nations, seven years", "Of war"])
    >>> index.score([("nation", 1), ("seven", 1)], np.array([0, 1, 2])).round(3).tolist()
    [0.227, 0.676, nan]
    """

    terms: Ragged
    hashes: NDArray[np.uint64]
    counts: NDArray[np.uint32]

    @classmethod
    def build(cls, texts: Iterable[str]) -> TermIndex:
        """Build an index of texts, which are numbered from 0 in the order given."""
        analyser = build_analyser()
        numbers: dict[str, int] = {}
        counts: list[int] = []
        rows = [np.empty(0, np.uint32)]
        sizes = []
        for text in texts:
            row = [numbers.setdefault(term, len(numbers)) for term in _analyse(analyser, text)]
            counts += [0] * (len(numbers) - len(counts))
            for number in set(row):
                counts[number] += 1
            rows.append(np.array(row, np.uint32))
            sizes.append(len(row))
        hashes = np.array([hash_term(term) for term in numbers], np.uint64)
        order = np.argsort(hashes)
        places = np.empty(len(order), np.uint32)
        places[order] = np.arange(len(order))
        terms = Ragged(places[np.concatenate(rows)], np.cumsum(sizes, dtype=np.int64))
        return cls(terms, hashes[order], np.array(counts, np.uint32)[order])

    def update(self, new: TermIndex, rows: RowMap) -> TermIndex:
        """Return the index of all texts of a changed archive, without reading the unchanged texts again.

        This index has the texts of the archive before the change. `new` is an index of the texts written
        since. `rows` says which of the earlier texts are still in the archive. The result is the same as if
        built from all texts.
        """
        hashes = np.union1d(self.hashes, new.hashes)
        places, new_places = (np.searchsorted(hashes, index.hashes) for index in (self, new))
        counts = np.zeros(len(hashes), np.int64)
        counts[places] = self.counts - _count_texts(self.terms, rows.list_removed(), len(self.hashes))
        counts[new_places] += new.counts
        occurring = counts > 0
        numbers = np.cumsum(occurring, dtype=np.uint32) - np.uint32(1)
        kept, written = (
            Ragged(numbers[of_hash][index.terms.values], index.terms.ends)
            for index, of_hash in ((self, places), (new, new_places))
        )
        return TermIndex(rows.join(kept, written), hashes[occurring], counts[occurring].astype(np.uint32))

    def score(self, query: Sequence[tuple[str, int]], numbers: NDArray[np.int64]) -> Floats:
        """Return the BM25 scores of the texts with these numbers for a query, given as pairs (term, count).

        The scores equal those of `LexicalIndex.score_texts`, except for the last digits of float32. The score
        is NaN for a text without any of the terms. The score of a text does not depend on the other
        `numbers`.
        """
        places, repeats = self._find_terms(query)
        if not len(places):
            return np.full(len(numbers), np.nan)
        terms, ends = self.terms.take(numbers)
        lengths = np.diff(ends, prepend=0)
        frequencies = _count_terms(terms, lengths, places, len(self.hashes))
        mean_length = len(self.terms.values) / len(self.terms.ends)
        damping = K1 * (1 - B + B * round_lengths(lengths) / mean_length)
        counts = self.counts[places].astype(np.float64)
        rarities = np.log1p((len(self.terms.ends) - counts + 0.5) / (counts + 0.5))
        shares = frequencies / (frequencies + damping[:, None])
        scores: Floats = (shares * (repeats * rarities)).sum(axis=1)
        scores[~frequencies.any(axis=1)] = np.nan
        return scores

    def _find_terms(self, query: Sequence[tuple[str, int]]) -> tuple[NDArray[np.int64], Floats]:
        """Return (places, counts) of those terms of a query that occur in any text.

        `places` are the indices of the terms in `hashes`. `counts` say how often the query has each of them.
        """
        hashes = np.array([hash_term(term) for term, _ in query], np.uint64)
        if not len(hashes) or not len(self.hashes):
            return np.empty(0, np.int64), np.empty(0)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        is_known = self.hashes[places] == hashes
        repeats = np.array([count for _, count in query], np.float64)
        return places[is_known], repeats[is_known]


def _analyse(analyser: Any, text: str) -> list[str]:
    terms: list[str] = analyser.analyze(escape_surrogates(text))
    return terms


def hash_term(term: str) -> int:
    """Return a 64-bit hash of a term.

    Among a million terms, two have the same hash with a probability of 3 in 100 million.
    """
    return int.from_bytes(blake2b(term.encode("utf-8"), digest_size=8).digest(), "little")


def round_lengths(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Round lengths of texts, in terms, to the values that Lucene and tantivy can store in one byte: 41 ->
    40.

    Source: `SmallFloat.intToByte4` of Lucene.

    >>> round_lengths(np.array([0, 40, 41, 57, 300])).tolist()
    [0, 40, 40, 56, 280]
    """
    above = np.maximum(lengths - EXACT_LENGTH, 0)
    dropped = np.maximum(np.frexp(above)[1] - 4, 0)
    rounded: NDArray[np.int64] = np.minimum(lengths, EXACT_LENGTH) + ((above >> dropped) << dropped)
    return rounded


def _count_texts(terms: Ragged, numbers: NDArray[np.int64], vocabulary: int) -> NDArray[np.int64]:
    """Return for each term the number of chosen texts that have the term, int64 (vocabulary,).

    The chosen texts are the rows `numbers` of `terms`. `vocabulary` is the number of different terms.
    """
    chosen, ends = terms.take(numbers)
    rows = np.repeat(np.arange(len(numbers)), np.diff(ends, prepend=0))
    pairs = np.unique(rows * vocabulary + chosen)
    return np.bincount(pairs % max(vocabulary, 1), minlength=vocabulary)


def _count_terms(
    terms: NDArray[np.uint32], lengths: NDArray[np.int64], places: NDArray[np.int64], vocabulary: int
) -> Floats:
    """Return how often each term of a query occurs in each text, float64 (texts, terms of the query).

    Terms are numbers below `vocabulary`. `terms` has the terms of all texts, text by text. `lengths` has the
    number of terms of each text. `places` has the terms of the query.
    """
    columns = np.full(vocabulary, -1, np.int16)
    columns[places] = np.arange(len(places))
    column = columns[terms]
    at = np.flatnonzero(column >= 0)
    rows = np.searchsorted(np.cumsum(lengths), at, side="right")
    cells = rows * len(places) + column[at]
    counts = np.bincount(cells, minlength=len(lengths) * len(places))
    return counts.reshape(len(lengths), len(places)).astype(np.float64)
