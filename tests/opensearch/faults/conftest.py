"""A real cluster of two nodes, an archive in it, and a refresh that writes every document by itself."""

import os

import pytest

from archive import encoding_batch
from archive.refresh import Hashes, Preparation, refresh
from indexer.paragraphs import split
from opensearch import Connection, Layout, OpenSearchStore
from rostrum_core.ports import Query
from rostrum_core.types import Document
from tools.jdk import Missing
from tools.opensearch_node import Node, find_memory_folder

HASHES = Hashes("encoder-1", "tokenizer-1")
DOCUMENTS, PARAGRAPHS = 16, 3
PATIENT_S = 90.0  # other work shares the cores
EVERYTHING = Query("spoken", "", None, every=True)


@pytest.fixture(scope="package")
def nodes():
    """A node, and another that only keeps data. The first is never killed; what else a test ends stays so."""
    started = []
    try:
        started.append(Node(scratch=find_memory_folder()))
        started.append(Node(scratch=find_memory_folder(), joins=started[0]))
    except Missing as missing:
        for each in started:
            each.stop()
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    yield started
    for each in started:
        each.stop()


@pytest.fixture
def open_store(nodes):
    """Opens stores of one archive, which is removed at the end."""
    stores = []

    def act(kind=OpenSearchStore, timeout_s=PATIENT_S):
        stores.append(kind(Connection(nodes[0].url, prefix="fault-", timeout_s=timeout_s), Layout("exact")))
        return stores[-1]

    yield act
    act().server.call("DELETE", "/fault-*", expand_wildcards="all")
    for each in stores:
        each.close()
        each.server.close()


def speeches(version):
    """Every speech of a version, each with a paragraph that says of which speech and version it is."""
    for number in range(DOCUMENTS):
        said = [f"spoken {number} {n} {version}" for n in range(PARAGRAPHS)]
        yield Document(f"speech {number:02d}", version, "\n\n".join(said))


def texts(store):
    return [each.paragraph.text for each in store.search(EVERYTHING)]


def expected(version):
    return sorted(f"spoken {d} {n} {version}" for d in range(DOCUMENTS) for n in range(PARAGRAPHS))


@pytest.fixture
def run(encoding, monkeypatch):
    """A refresh that writes every document by itself."""
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)

    def act(store, version):
        def cut(document):
            return split(document, count_tokens=lambda text: len(text.split()))

        preparation = Preparation(cut, lambda texts: [*map(encoding, texts)], HASHES)
        return refresh(speeches(version), store, preparation)

    return act
