"""The cache of documents' metadata, which the threads of requests share."""

from collections.abc import Iterator

import pytest

from opensearch import infos
from opensearch.facts import Facts, StoredGeneration
from opensearch.infos import Infos

GENERATION = StoredGeneration(
    Facts("000001", "encoder-1", "tokenizer-1", None, "2026-01-01T00:00:00Z"), "p", "d", True, True
)
PACKED = [("a", "of a"), ("b", "of b")]


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> Infos:
    """A cache with documents a and b; their packed metadata stands for the metadata itself."""
    monkeypatch.setattr(infos, "unpack_info", lambda text: text)
    cache = Infos()
    cache.keep(GENERATION, PACKED)
    return cache


def test_metadata_is_in_the_cache_while_it_is_cached_again(cache):
    matches = []

    def find_meanwhile() -> Iterator[tuple[str, str]]:
        for pair in PACKED:
            yield pair
            matches.append(cache.find(GENERATION, ["a", "b"]))

    assert cache.keep(GENERATION, find_meanwhile()) == dict(PACKED)
    assert matches == [dict(PACKED)] * 2


def test_what_was_not_used_for_longest_is_dropped_first(cache, monkeypatch):
    monkeypatch.setattr(infos, "MOST_DOCUMENTS", 2)
    cache.keep(GENERATION, [("a", "of a")])
    cache.keep(GENERATION, [("c", "of c")])
    assert cache.find(GENERATION, "abc") == {"a": "of a", "c": "of c"}
