"""Nearest vectors by inner product: a FAISS index over the paragraphs' numbers.

Every vector is compared (Flat) up to a number of paragraphs, past it only those of the nearest clusters, in
8 bits a component (IVF + SQ8). The index chooses; who wants exact scores computes them from the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from rostrum_core.errors import StoreError

wrapped: Any = faiss
"""The stubs of FAISS tell the signatures of C++; these are called with what the Python wrapper takes."""

FLAT_LIMIT = 200_000
"""Up to so many paragraphs all vectors are compared: 14 ms a query at 100,000 on two cores."""

TRAINED_ON = 100_000
"""Vectors that clusters and ranges are learned from: 150 MB at width 384."""

PER_CLUSTER = 39
"""Training vectors a cluster needs at least, by FAISS (`ClusteringParameters.min_points_per_centroid`)."""

CLUSTERS_PER_ROOT = 4
"""4 * sqrt(n) clusters. Source: FAISS wiki, "Guidelines to choose an index" (4 to 16 below a million)."""

PROBED = 256
"""Clusters compared per query: of 239,000 paragraphs they find 99 % of the nearest 100 and 98 % of the
nearest 1,000 in 2.0 ms; 64 find 95 % and 85 % in 0.7 ms (docs/lab/findings.md)."""

PROBE_ALL_LIMIT = 50_000
"""A filter that leaves no more paragraphs than this has all clusters compared: its few may lie in any."""

Vectors = Callable[[], Iterator[NDArray[np.float32]]]
"""Gives all vectors in the order of their numbers, float32 (n, width) at a time, as often as it is asked."""

ALL = wrapped.IDSelectorAll()
"""Every vector, by name. Given a selector FAISS compares on one thread, without one on all: for one query
that gains little, and on a busy machine they wait for each other (40,000 vectors: 24 ms against 2.4)."""

SEED = 1
"""Of the training sample and of k-means."""

BATCH = 16_384
"""Vectors handed to FAISS at once."""


class DenseIndex:
    """Finds the numbers of the vectors with the greatest inner products."""

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(
        cls,
        vectors: Vectors,
        count: int,
        width: int,
        flat_limit: int = FLAT_LIMIT,
        earlier: Path | None = None,
    ) -> DenseIndex:
        """An index of `count` vectors, clustered if they are more than `flat_limit`.

        `earlier` is the file of an index of nearly the same vectors: its clusters serve again, which saves
        most of the time, unless it cannot be read or there should be more or fewer of them by a fifth.
        """
        if count <= flat_limit:
            index = faiss.IndexFlatIP(width)
        else:
            clusters = _clusters(count)
            index = _emptied(earlier, width, clusters) or _trained(_sample(vectors, count), clusters)
        for batch in _batches(vectors):
            index.add(batch)
        return cls(index)

    @classmethod
    def open(cls, path: Path) -> DenseIndex:
        """The index that `save` wrote, held in memory.

        Raises:
            StoreError: there is none, or it is damaged.
        """
        try:
            return cls(faiss.read_index(str(path)))
        except RuntimeError as error:
            raise StoreError(f"the vector index {path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        """Writes the index to a file that `open` reads.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            faiss.write_index(self._index, str(path))
        except RuntimeError as error:
            raise StoreError(f"the vector index {path} cannot be written: {error}") from error

    @property
    def width(self) -> int:
        """The width of the vectors."""
        return int(self._index.d)

    def vectors(self) -> NDArray[np.float32] | None:
        """All vectors in the order of their numbers, float32 (count, width), not to be written to.

        `None` where the index does not hold them as they were.
        """
        if not isinstance(self._index, faiss.IndexFlat):
            return None
        every = wrapped.rev_swig_ptr(self._index.get_xb(), self._index.ntotal * self._index.d)
        found: NDArray[np.float32] = every.reshape(self._index.ntotal, self._index.d)
        return found

    def best(
        self, vector: NDArray[np.float32], limit: int, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Numbers of the at most `limit` nearest vectors, of those in `mask` (bool (count,)), best first."""
        limit = min(limit, self._index.ntotal if mask is None else int(mask.sum()))
        if limit < 1:
            return np.empty(0, np.int64)
        question = np.ascontiguousarray(vector, np.float32)[None]
        _, found = self._index.search(question, limit, params=self._parameters(mask))
        return np.asarray(found[0][found[0] >= 0], np.int64)

    def _parameters(self, mask: NDArray[np.bool_] | None) -> Any:
        chosen = ALL if mask is None else wrapped.IDSelectorBitmap(np.packbits(mask, bitorder="little"))
        if not isinstance(self._index, faiss.IndexIVF):
            return wrapped.SearchParameters(sel=chosen)
        few = mask is not None and mask.sum() <= PROBE_ALL_LIMIT
        probed = self._index.nlist if few else PROBED
        of_clusters = wrapped.SearchParameters(sel=ALL)
        return wrapped.SearchParametersIVF(sel=chosen, nprobe=probed, quantizer_params=of_clusters)


def _sample(vectors: Vectors, count: int) -> NDArray[np.float32]:
    """Vectors to train on, drawn without replacement; the same of the same."""
    size = min(count, TRAINED_ON)
    chosen = np.zeros(count, np.bool_)
    chosen[np.random.default_rng(SEED).choice(count, size, replace=False)] = True
    drawn, first = [], 0
    for batch in vectors():
        drawn.append(batch[chosen[first : first + len(batch)]])
        first += len(batch)
    return np.concatenate(drawn)


def _clusters(count: int) -> int:
    """How many clusters so many vectors get.

    >>> _clusters(390_000), _clusters(100)
    (2497, 2)
    """
    return max(1, min(int(CLUSTERS_PER_ROOT * count**0.5), min(count, TRAINED_ON) // PER_CLUSTER))


def _trained(sample: NDArray[np.float32], clusters: int) -> Any:
    """An empty clustered index, seeded: the same of the same sample on the same number of threads."""
    index = wrapped.index_factory(sample.shape[1], f"IVF{clusters},SQ8", faiss.METRIC_INNER_PRODUCT)
    index.cp.seed = SEED
    index.train(sample)
    return index


def _emptied(path: Path | None, width: int, clusters: int) -> Any | None:
    """The index of a file without its vectors; `None` where it cannot serve.

    It has another width or number of clusters, or cannot be read: then clusters are learned anew.
    """
    if path is None or not path.exists():
        return None
    try:
        index = DenseIndex.open(path)._index
    except StoreError:
        return None
    alike = isinstance(index, faiss.IndexIVF) and index.d == width
    if not alike or not 0.8 * clusters <= index.nlist <= 1.25 * clusters:
        return None
    index.reset()
    return index


def _batches(vectors: Vectors) -> Iterator[NDArray[np.float32]]:
    """The same vectors, some `BATCH` at a time: FAISS adds many at once faster than few."""
    held: list[NDArray[np.float32]] = []
    count = 0
    for batch in vectors():
        held.append(batch)
        count += len(batch)
        if count >= BATCH:
            yield np.concatenate(held)
            held.clear()
            count = 0
    if held:
        yield np.concatenate(held)
