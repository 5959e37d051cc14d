import os
from functools import partial
from pathlib import Path

import faiss
import numpy as np
import pytest

from embedded import dense
from embedded.dense import DenseIndex
from embedded.reuse import RowMap
from rostrum_core.errors import StoreError

COUNT, WIDTH = 5_000, 24


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Unit vectors around 100 centres."""
    draw = np.random.default_rng(3)
    found = (
        draw.standard_normal((100, WIDTH)).repeat(COUNT // 100, 0) + draw.standard_normal((COUNT, WIDTH)) / 2
    )
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype("f4")


def streamed(vectors: np.ndarray):
    return lambda: iter(np.array_split(vectors, 61))


@pytest.fixture(scope="module")
def flat(vectors) -> DenseIndex:
    return DenseIndex.build(streamed(vectors), COUNT, WIDTH)


@pytest.fixture(scope="module")
def clustered(vectors) -> DenseIndex:
    return DenseIndex.build(streamed(vectors), COUNT, WIDTH, flat_limit=COUNT - 1)


def test_a_flat_index_finds_the_greatest_inner_products(flat, vectors):
    for query in vectors[::500]:
        assert (
            flat.search_best(query, 50).tolist()
            == np.argsort(-(vectors @ query), kind="stable")[:50].tolist()
        )


def test_only_vectors_of_the_mask_are_found(flat, clustered, vectors):
    mask = np.random.default_rng(4).random(COUNT) < 0.01
    order = np.argsort(-(vectors @ vectors[0]))
    want = [number for number in order.tolist() if mask[number]]
    assert flat.search_best(vectors[0], 20, mask).tolist() == want[:20]
    assert flat.search_best(vectors[0], COUNT, mask).tolist() == want
    assert sorted(clustered.search_best(vectors[0], COUNT, mask).tolist()) == sorted(want)
    assert flat.search_best(vectors[0], 20, np.zeros(COUNT, np.bool_)).tolist() == []


def test_a_clustered_index_finds_nearly_what_a_flat_one_finds(flat, clustered, vectors, monkeypatch):
    def recall() -> float:
        shared = [
            set(flat.search_best(query, 100)) & set(clustered.search_best(query, 100))
            for query in vectors[::100]
        ]
        return sum(map(len, shared)) / (100 * len(shared))

    assert recall() > 0.95
    monkeypatch.setattr(dense, "PROBED", 1)
    assert recall() < 0.9


def test_the_same_vectors_make_the_same_clusters(clustered, vectors, tmp_path):
    clustered.save(tmp_path / "a")
    DenseIndex.build(streamed(vectors), COUNT, WIDTH, flat_limit=COUNT - 1).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_index_comes_back_from_its_file(flat, clustered, vectors, tmp_path):
    for index in (flat, clustered):
        index.save(tmp_path / "vectors")
        again = DenseIndex.open(tmp_path / "vectors")
        assert again.width == WIDTH
        assert again.search_best(vectors[7], 30).tolist() == index.search_best(vectors[7], 30).tolist()


def test_a_file_that_is_not_there_or_damaged_is_an_error(flat, tmp_path):
    with pytest.raises(StoreError):
        DenseIndex.open(tmp_path / "none")
    (tmp_path / "vectors").write_bytes(b"nonsense")
    with pytest.raises(StoreError):
        DenseIndex.open(tmp_path / "vectors")
    with pytest.raises(StoreError):
        flat.save(tmp_path / "no folder" / "vectors")


def test_training_takes_a_sample_of_what_is_there(vectors, monkeypatch):
    monkeypatch.setattr(dense, "TRAINED_ON", 1_000)
    sample = dense._sample(streamed(vectors), COUNT)
    places = {vector.tobytes(): number for number, vector in enumerate(vectors)}
    numbers = [places[vector.tobytes()] for vector in sample]
    assert len(set(numbers)) == 1_000
    assert max(numbers) > COUNT * 0.9


def centres(path: Path) -> np.ndarray:
    index = faiss.read_index(str(path))
    return index.quantizer.reconstruct_n(0, index.nlist)


def test_the_clusters_of_an_earlier_index_serve_again(clustered, vectors, tmp_path):
    clustered.save(tmp_path / "earlier")
    changed = np.concatenate([vectors[50:], vectors[:40]])  # ten are gone, forty have other numbers
    build = partial(DenseIndex.build, streamed(changed), len(changed), WIDTH, flat_limit=1)
    again, fresh = build(earlier=tmp_path / "earlier"), build()
    for query in vectors[::500]:
        best = set(np.argsort(-(changed @ query))[:50].tolist())
        assert len(best & set(again.search_best(query, 50).tolist())) > 45
    again.save(tmp_path / "again")
    fresh.save(tmp_path / "fresh")
    first, reused, learned = (centres(tmp_path / name) for name in ("earlier", "again", "fresh"))
    assert np.array_equal(reused, first)
    assert not np.array_equal(learned, first)


def test_an_updated_index_is_the_one_that_is_built_with_the_same_clusters(clustered, vectors, tmp_path):
    clustered.save(tmp_path / "base")
    draw = np.random.default_rng(5)
    kept = np.flatnonzero(draw.random(COUNT) < 0.9)
    rows = np.insert(kept, draw.integers(0, len(kept), 300), -1)
    current = np.where((rows >= 0)[:, None], vectors[rows], draw.permuted(vectors, axis=1)[: len(rows)])
    updated = DenseIndex.update(
        tmp_path / "base", WIDTH, streamed(current[rows < 0]), RowMap(rows, [], COUNT)
    )
    assert updated is not None
    updated.save(tmp_path / "updated")
    built = DenseIndex.build(streamed(current), len(rows), WIDTH, flat_limit=1, earlier=tmp_path / "base")
    built.save(tmp_path / "built")
    assert (tmp_path / "updated").read_bytes() == (tmp_path / "built").read_bytes()


def test_an_index_without_clusters_or_of_other_vectors_is_not_updated(flat, clustered, vectors, tmp_path):
    rows = RowMap(np.append(np.arange(COUNT), -1), [], COUNT)
    flat.save(tmp_path / "flat")
    clustered.save(tmp_path / "clustered")
    update = partial(DenseIndex.update, width=WIDTH, vectors=streamed(vectors[:1]))
    assert update(tmp_path / "flat", rows=rows) is None
    assert update(tmp_path / "clustered", rows=RowMap(rows.rows, [], COUNT + 1)) is None
    assert update(tmp_path / "clustered", rows=rows) is not None


@pytest.mark.parametrize("count", [COUNT // 2, COUNT], ids=["half as many", "flat before"])
def test_clusters_are_learned_anew_where_the_earlier_ones_do_not_fit(
    vectors, flat, clustered, tmp_path, count
):
    (flat if count == COUNT else clustered).save(tmp_path / "earlier")
    some = vectors[:count]
    build = partial(DenseIndex.build, streamed(some), count, WIDTH, flat_limit=1)
    build(earlier=tmp_path / "earlier").save(tmp_path / "a")
    build().save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("kept_bytes", [0, 100, 10_000], ids=["nothing is left", "its head", "some clusters"])
def test_clusters_are_learned_anew_where_the_earlier_ones_cannot_be_read(
    vectors, clustered, tmp_path, kept_bytes
):
    clustered.save(tmp_path / "earlier")
    os.truncate(tmp_path / "earlier", kept_bytes)
    build = partial(DenseIndex.build, streamed(vectors), COUNT, WIDTH, flat_limit=1)
    build(earlier=tmp_path / "earlier").save(tmp_path / "a")
    clustered.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
