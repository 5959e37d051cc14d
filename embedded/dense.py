"""Find the paragraphs whose vectors have the greatest inner product with a query vector, using FAISS.

For small archives, every vector is compared (Flat). Above `FLAT_LIMIT` paragraphs, vectors are grouped in
clusters, and only those of the nearest clusters are compared, with 8 bits per component (IVF + SQ8). The
index only selects vectors; exact scores are computed from the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from embedded.reuse import RowMap
from rostrum_core.errors import StoreError

wrapped: Any = faiss
"""Stubs of FAISS describe the C++ signatures; the Python wrapper takes other arguments."""

FLAT_LIMIT = 200_000
"""Number of paragraphs up to which all vectors are compared: 14 ms a query at 100,000 on two cores."""

TRAINED_ON = 100_000
"""Number of vectors from which clusters and ranges are learned: 150 MB at width 384."""

PER_CLUSTER = 39
"""Minimum of training vectors per cluster, by FAISS (`ClusteringParameters.min_points_per_centroid`)."""

CLUSTERS_PER_ROOT = 4
"""Number of clusters, as a multiple of sqrt(n).

Source: FAISS wiki, "Guidelines to choose an index" (4 to 16 below a million).
"""

PROBED = 256
"""Number of clusters compared per query.

Of 239,000 paragraphs, they contain 99 % of the nearest 100 and 98 % of the nearest 1,000 in 2.0 ms; 64
clusters contain 95 % and 85 % in 0.7 ms (docs/lab/findings.md).
"""

PROBE_ALL_LIMIT = 50_000
"""If a filter leaves no more paragraphs than this, compare all of them: they may lie in any cluster."""

Vectors = Callable[[], Iterator[NDArray[np.float32]]]
"""Function that yields all vectors in the order of their numbers, float32 (n, width) at a time; it may be
called repeatedly.
"""

ALL = wrapped.IDSelectorAll()
"""Selector of every vector.

With a selector, FAISS compares on one thread; without one, on all threads. All threads gain little for one
query, and on a busy machine they wait for each other (40,000 vectors: 24 ms against 2.4).
"""

SEED = 1
"""Seed of the training sample and of k-means."""

BATCH = 16_384
"""Number of vectors passed to FAISS at once."""


class DenseIndex:
    """Find the vectors that have the greatest inner products with a query vector, and return
    their numbers.
    """

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
        """Build an index of `count` vectors; the vectors are clustered if there are more than `flat_limit`.

        `earlier` is the file of an index of nearly the same vectors. Its clusters are reused, which saves
        most of the time. They are not reused if the file cannot be read, or has fewer than 0.8 times or more
        than 1.25 times the clusters that `count` vectors need.
        """
        if count <= flat_limit:
            index = faiss.IndexFlatIP(width)
        else:
            clusters = _count_clusters(count)
            index = _open_clustered(earlier, width, clusters) or _train(_sample(vectors, count), clusters)
            index.reset()
        for batch in _join_batches(vectors):
            index.add(batch)
        return cls(index)

    @classmethod
    def update(cls, path: Path, width: int, vectors: Vectors, rows: RowMap) -> DenseIndex | None:
        """Return the clustered index of all vectors of an archive, made by changing the index of its base.

        The base is the generation from which the archive was copied; `path` is the file of its index. `rows`
        says which number each paragraph has in the base. `vectors` yields the vectors that the base does not
        have. The result is what `build` returns with the same clusters. Return `None` if the index of the
        base cannot be reused, for example because it has too few clusters for the number of paragraphs.
        """
        index = _open_clustered(path, width, _count_clusters(len(rows.rows)))
        if index is None or index.ntotal != rows.base_rows:
            return None
        is_kept = rows.rows >= 0
        numbers = np.full(rows.base_rows, -1, np.int64)
        numbers[rows.rows[is_kept]] = np.flatnonzero(is_kept)
        for cluster in range(index.nlist):
            ids, codes = _read_cluster(index, cluster)
            moved = numbers[ids]
            kept = moved >= 0
            size = int(np.count_nonzero(kept))
            ids[:size], codes[:size] = moved[kept], codes[kept]
            index.invlists.resize(cluster, size)
        index.ntotal = int(np.count_nonzero(is_kept))
        places, first = np.flatnonzero(~is_kept), 0
        for batch in _join_batches(vectors):
            index.add_with_ids(batch, places[first : first + len(batch)])
            first += len(batch)
        for cluster in range(index.nlist):
            ids, codes = _read_cluster(index, cluster)
            order = np.argsort(ids)
            ids[:], codes[:] = ids[order], codes[order]
        return cls(index)

    @classmethod
    def open(cls, path: Path) -> DenseIndex:
        """Load into memory an index that `save` wrote to a file.

        Raises:
            StoreError: the file does not exist, or is damaged.
        """
        try:
            return cls(faiss.read_index(str(path)))
        except RuntimeError as error:
            raise StoreError(f"the vector index {path} cannot be read: {error}") from error

    def save(self, path: Path) -> None:
        """Write the index to a file that `open` reads.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            faiss.write_index(self._index, str(path))
        except RuntimeError as error:
            raise StoreError(f"the vector index {path} cannot be written: {error}") from error

    @property
    def width(self) -> int:
        """Return the width of the vectors."""
        return int(self._index.d)

    def get_vectors(self) -> NDArray[np.float32] | None:
        """Return all vectors in the order of their numbers, float32 (count, width), read-only.

        Return `None` if the index is clustered, because it then stores only 8 bits per component.
        """
        if not isinstance(self._index, faiss.IndexFlat):
            return None
        every = wrapped.rev_swig_ptr(self._index.get_xb(), self._index.ntotal * self._index.d)
        vectors: NDArray[np.float32] = every.reshape(self._index.ntotal, self._index.d)
        return vectors

    def search_best(
        self, vector: NDArray[np.float32], limit: int, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Return the numbers of the `limit` vectors nearest to `vector`, nearest first."""
        limit = min(limit, self._index.ntotal if mask is None else int(mask.sum()))
        if limit < 1:
            return np.empty(0, np.int64)
        question = np.ascontiguousarray(vector, np.float32)[None]
        _, numbers = self._index.search(question, limit, params=self._build_parameters(mask))
        return np.asarray(numbers[0][numbers[0] >= 0], np.int64)

    def _build_parameters(self, mask: NDArray[np.bool_] | None) -> Any:
        chosen = ALL if mask is None else wrapped.IDSelectorBitmap(np.packbits(mask, bitorder="little"))
        if not isinstance(self._index, faiss.IndexIVF):
            return wrapped.SearchParameters(sel=chosen)
        few = mask is not None and mask.sum() <= PROBE_ALL_LIMIT
        probed = self._index.nlist if few else PROBED
        of_clusters = wrapped.SearchParameters(sel=ALL)
        return wrapped.SearchParametersIVF(sel=chosen, nprobe=probed, quantizer_params=of_clusters)


def multiply_rows(
    vectors: NDArray[np.float32], numbers: NDArray[np.int64], vector: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the inner products of `vector` with selected rows of `vectors`, float32 (k,).

    `numbers` (k,) are the indices of the rows, ascending. `vectors` is (n, width), `vector` (width,). Rows
    are not copied.

    >>> rows, vector = np.eye(4, dtype=np.float32), np.arange(4, dtype=np.float32)
    >>> multiply_rows(rows, np.array([0, 2, 3]), vector).tolist()
    [0.0, 2.0, 3.0]
    >>> multiply_rows(rows, np.array([], np.int64), vector).tolist()
    []
    """
    if not len(numbers):
        return np.empty(0, np.float32)
    cuts = np.flatnonzero(np.diff(numbers) != 1) + 1
    begins, ends = numbers[np.append(0, cuts)], numbers[np.append(cuts, len(numbers)) - 1] + 1
    runs = zip(begins.tolist(), ends.tolist(), strict=True)
    return np.concatenate([vectors[begin:end] @ vector for begin, end in runs])


def _sample(vectors: Vectors, count: int) -> NDArray[np.float32]:
    """Draw a random sample of at most `TRAINED_ON` vectors, from which clusters are learned.

    No vector is drawn twice. The same vectors give the same sample.
    """
    size = min(count, TRAINED_ON)
    chosen = np.zeros(count, np.bool_)
    chosen[np.random.default_rng(SEED).choice(count, size, replace=False)] = True
    drawn, first = [], 0
    for batch in vectors():
        drawn.append(batch[chosen[first : first + len(batch)]])
        first += len(batch)
    return np.concatenate(drawn)


def _count_clusters(count: int) -> int:
    """Return the number of clusters for an index of `count` vectors.

    >>> _count_clusters(390_000), _count_clusters(100)
    (2497, 2)
    """
    return max(1, min(int(CLUSTERS_PER_ROOT * count**0.5), min(count, TRAINED_ON) // PER_CLUSTER))


def _train(sample: NDArray[np.float32], clusters: int) -> Any:
    """Return a FAISS index without vectors, with clusters learned from `sample`.

    The training is seeded: the same sample and number of threads give the same index.
    """
    index = wrapped.index_factory(sample.shape[1], f"IVF{clusters},SQ8", faiss.METRIC_INNER_PRODUCT)
    index.cp.seed = SEED
    index.train(sample)
    return index


def _open_clustered(path: Path | None, width: int, clusters: int) -> Any | None:
    """Load a clustered index from a file, so that its clusters can be reused; return `None` if they cannot.

    They can be reused if the vectors have the width `width`, and if the number of clusters is 0.8 to 1.25
    times `clusters`, the number that is needed now.
    """
    if path is None or not path.exists():
        return None
    try:
        index = DenseIndex.open(path)._index
    except StoreError:
        return None
    alike = isinstance(index, faiss.IndexIVF) and index.d == width
    return index if alike and 0.8 * clusters <= index.nlist <= 1.25 * clusters else None


def _read_cluster(index: Any, cluster: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return views of a cluster: the numbers of its vectors, int64 (n,), and their codes, uint8 (n, width).

    A change to these arrays changes the index.
    """
    lists, size = index.invlists, index.invlists.list_size(cluster)
    ids = wrapped.rev_swig_ptr(lists.get_ids(cluster), size)
    codes = wrapped.rev_swig_ptr(lists.get_codes(cluster), size * index.code_size)
    return ids, codes.reshape(size, index.code_size)


def _join_batches(vectors: Vectors) -> Iterator[NDArray[np.float32]]:
    """Yield all vectors in order, joined to batches of at least `BATCH`; the last batch may be smaller.

    FAISS adds many vectors at once faster.
    """
    waiting: list[NDArray[np.float32]] = []
    count = 0
    for batch in vectors():
        waiting.append(batch)
        count += len(batch)
        if count >= BATCH:
            yield np.concatenate(waiting)
            waiting.clear()
            count = 0
    if waiting:
        yield np.concatenate(waiting)
