"""Documents taken out of an archive are in nothing that is published."""

from collections.abc import Callable
from pathlib import Path

import pytest

from archive.withdraw import withdraw
from embedded.store import EmbeddedStore
from rostrum_core.errors import NothingPublished, StoreError
from rostrum_core.ports import Entry

BEGUN = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


@pytest.fixture
def store(tmp_path: Path, entry: Callable[..., Entry], publish: Callable[..., str]) -> EmbeddedStore:
    """An archive of the documents x and y."""
    store = EmbeddedStore(tmp_path / "archive")
    publish(store, entry("x", ["seven"]), entry("y", ["years"]))
    return store


def held(store: EmbeddedStore) -> list[str]:
    return [each.id for each in store.documents()]


def test_what_is_published_lacks_the_documents_alone(store: EmbeddedStore) -> None:
    assert withdraw(["x", "unknown"], store) == "000002"
    assert held(store) == ["y"]


def test_nothing_of_an_interrupted_refresh_is_published(
    store: EmbeddedStore, entry: Callable[..., Entry]
) -> None:
    store.add(store.begin(**BEGUN).name, [entry("a", ["four"]), entry("b", ["score"])])
    store.close()
    withdraw(["x"], store)
    assert held(store) == ["y"]


def test_nothing_is_taken_out_of_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NothingPublished):
        withdraw(["x"], EmbeddedStore(tmp_path / "archive"))


def test_a_withdrawal_that_fails_lets_others_write(
    store: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def publish(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(store, "publish", publish)
    with pytest.raises(StoreError):
        withdraw(["x"], store)
    other = EmbeddedStore(tmp_path / "archive")
    assert other.begin(**BEGUN, resume=False).documents == 2
    other.close()


def test_a_failure_to_remove_old_generations_fails_nothing_that_was_published(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: EmbeddedStore, keep: int) -> list[str]:
        raise StoreError("the cluster hiccups")

    monkeypatch.setattr(EmbeddedStore, "prune", fail)
    assert withdraw(["x"], store) == "000002"
    assert held(store) == ["y"]
    assert "old generations were not removed: the cluster hiccups" in caplog.text
