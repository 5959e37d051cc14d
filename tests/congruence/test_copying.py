"""What the benchmark of both stores copies from one into the other is the same archive."""

import numpy as np
import pytest

from benchmarks.stores import copy_archive, measure_latencies
from embedded.store import EmbeddedStore
from jobs.recommend.candidates import EncodedDraft
from rostrum_core.ports import Query
from rostrum_core.types import Draft


@pytest.fixture
def source(tmp_path, entry, publish):
    store = EmbeddedStore(tmp_path / "source")
    publish(store, *[entry(name, [f"spoken {name} {n}" for n in range(4)], title=name) for name in "abc"])
    return store


def held(store):
    found = store.search(Query("spoken", "", np.eye(1, 8, dtype=np.float32)[0], every=True))
    return [(each.paragraph, each.tokens.ids.tolist(), each.scores["dense"]) for each in found]


def test_a_copy_holds_the_same_paragraphs_tokens_and_vectors(source, tmp_path):
    target = EmbeddedStore(tmp_path / "target")
    assert copy_archive(source, target) == (3, 12)
    assert held(target) == held(source)
    assert target.content_hashes("000001") == source.content_hashes("000001")


def test_a_part_ends_with_the_document_that_fills_it(source, tmp_path):
    assert copy_archive(source, EmbeddedStore(tmp_path / "target"), most=5) == (2, 8)


def test_every_store_is_asked_every_draft(source):
    measured = measure_latencies(
        {"one": source, "other": source}, [(Draft("spoken", "of a"), EncodedDraft())]
    )
    assert list(measured) == ["one", "other"]
    assert 0 < measured["one"]["p50_ms"] <= measured["one"]["p95_ms"]
