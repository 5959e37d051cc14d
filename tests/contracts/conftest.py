"""The adapters that the contracts are run over."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from embedded.store import EmbeddedStore
from opensearch import Connection, Layout, OpenSearchStore
from rostrum_core.ports import ParagraphStore


class Place(Protocol):
    """Where an archive is kept: stores opened at the same place see the same archive."""

    def open(self) -> ParagraphStore: ...

    def open_reader(self) -> ParagraphStore:
        """A store as a service opens it: it may answer from a state that it read a while ago."""

    def abandon(self, store: ParagraphStore) -> None:
        """What happens to a store whose process was killed, until another can write."""

    def clear(self) -> None:
        """Removes the archive."""


class Folder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self) -> EmbeddedStore:
        return EmbeddedStore(self.folder)

    def open_reader(self) -> EmbeddedStore:
        return self.open()

    def abandon(self, store: ParagraphStore) -> None:
        assert isinstance(store, EmbeddedStore)
        store.close()

    def clear(self) -> None:
        """pytest does."""


class Cluster:
    def __init__(self, url: str, prefix: str) -> None:
        self.connection = Connection(url, prefix=prefix, timeout_s=60)
        self.stores: list[OpenSearchStore] = []

    def open(self) -> OpenSearchStore:
        return self._open(age_s=0.0)

    def open_reader(self) -> OpenSearchStore:
        return self._open(age_s=600.0)

    def _open(self, age_s: float) -> OpenSearchStore:
        self.stores.append(OpenSearchStore(self.connection, Layout(engine="exact"), age_s=age_s))
        return self.stores[-1]

    def abandon(self, store: ParagraphStore) -> None:
        """Its lock runs out."""
        path = f"/{self.connection.prefix}writer/_update/lock"
        self.stores[0].server.call("POST", path, {"doc": {"ends_ms": 0}})

    def clear(self) -> None:
        server, prefix = self.open().server, self.connection.prefix
        for store in self.stores:
            store.close()
        server.call("DELETE", f"/{prefix}paragraphs-*,{prefix}documents-*")
        for store in self.stores:
            store.server.close()


@pytest.fixture(params=["embedded", "opensearch"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "embedded":
        where: Place = Folder(tmp_path / "archive")
    else:
        url, prefix = (request.getfixturevalue(f"opensearch_{name}") for name in ("url", "prefix"))
        where = Cluster(url, f"{prefix}contract-")
    yield where
    where.clear()


@pytest.fixture
def store(place: Place) -> ParagraphStore:
    return place.open()
