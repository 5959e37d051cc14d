"""The adapters that the contracts are run over, and the entries they are filled with."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from embedded.store import EmbeddedStore
from rostrum.core.ports import Entry, ParagraphStore
from rostrum.core.types import Document, Encoding, Paragraph, Tokens, paragraph_id, text_hash

WIDTH = 8
HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


class Place(Protocol):
    """Where an archive is kept: stores opened at the same place see the same archive."""

    def open(self) -> ParagraphStore: ...

    def abandon(self, store: ParagraphStore) -> None:
        """What happens to a store whose process was killed."""


class Folder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self) -> EmbeddedStore:
        return EmbeddedStore(self.folder)

    def abandon(self, store: ParagraphStore) -> None:
        assert isinstance(store, EmbeddedStore)
        store.close()


@pytest.fixture(params=["embedded"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return {"embedded": Folder}[request.param](tmp_path / "archive")


@pytest.fixture
def store(place: Place) -> ParagraphStore:
    return place.open()


@pytest.fixture
def encoding() -> Callable[[str], Encoding]:
    """An encoding that depends on the text alone."""

    def encode(text: str) -> Encoding:
        vector = np.random.default_rng(int(text_hash(text)[:8], 16)).standard_normal(WIDTH)
        numbers = np.arange(len(text.split()), dtype=np.int32)
        return Encoding(
            Tokens(numbers + 7, numbers, numbers + 1), (vector / np.linalg.norm(vector)).astype("f4")
        )

    return encode


@pytest.fixture
def entry(encoding: Callable[[str], Encoding]) -> Callable[..., Entry]:
    """A document of these paragraphs, with whatever else is known of it."""

    def make(document_id: str, paragraphs: Sequence[str], *, title: str = "", **known: str) -> Entry:
        document = Document(document_id, title, "\n".join(paragraphs), **known)
        found, start = [], 0
        for ordinal, text in enumerate(paragraphs):
            name = paragraph_id(document_id, ordinal, text)
            found.append(Paragraph(name, document_id, ordinal, text, start, start + len(text)))
            start += len(text) + 1
        return Entry(document, document.content_hash(), tuple(found), tuple(map(encoding, paragraphs)))

    return make


@pytest.fixture
def publish() -> Callable[..., str]:
    """Begins a generation, adds entries, deletes ids and publishes it; its name."""

    def act(store: ParagraphStore, *entries: Entry, delete: Sequence[str] = (), fresh: bool = False) -> str:
        name = store.begin(**HASHES, fresh=fresh).name
        store.add(name, entries)
        store.delete(name, delete)
        store.publish(name)
        return name

    return act
