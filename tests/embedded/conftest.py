"""Small archives, made from texts."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from embedded.store import EmbeddedStore
from rostrum.core.ports import Entry
from rostrum.core.types import Document, Encoding, Paragraph, Tokens, paragraph_id, text_hash

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


def encoding(text: str) -> Encoding:
    vector = np.random.default_rng(int(text_hash(text)[:8], 16)).standard_normal(8)
    numbers = np.arange(len(text.split()), dtype=np.int32)
    return Encoding(Tokens(numbers, numbers, numbers + 1), (vector / np.linalg.norm(vector)).astype("f4"))


@pytest.fixture
def entry() -> Callable[..., Entry]:
    """A document of these paragraphs, with vectors that depend on their texts alone."""

    def make(document_id: str, paragraphs: Sequence[str], **known: str) -> Entry:
        document = Document(document_id, "", "\n".join(paragraphs), **known)
        found, start = [], 0
        for ordinal, text in enumerate(paragraphs):
            name = paragraph_id(document_id, ordinal, text)
            found.append(Paragraph(name, document_id, ordinal, text, start, start + len(text)))
            start += len(text) + 1
        return Entry(document, document.content_hash(), tuple(found), tuple(map(encoding, paragraphs)))

    return make


@pytest.fixture
def publish() -> Callable[..., str]:
    """Begins a generation, adds entries and publishes it; its name."""

    def act(store: EmbeddedStore, *entries: Entry) -> str:
        name = store.begin(**HASHES).name
        store.add(name, entries)
        store.publish(name)
        return name

    return act


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"
