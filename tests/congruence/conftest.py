"""The sample archive in both stores, with the same encodings."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from jobs.drafts import read_draft
from opensearch import Connection, Layout, OpenSearchStore
from rostrum_core.ports import Entry
from rostrum_core.types import Draft
from workers.runner.inline import InlineRunner

MISSED = {"exact": 0.0, "lucene": 0.01}
"""The share of the candidates that OpenSearch may miss: a graph does not lead to all that is near."""


@dataclass(frozen=True)
class Pair:
    """Both stores; `missed` is the share of candidates that OpenSearch may miss."""

    embedded: EmbeddedStore
    opensearch: OpenSearchStore
    missed: float

    def __iter__(self):
        return iter((self.embedded, self.opensearch))


@pytest.fixture(scope="session", params=list(MISSED))
def pair(request, opensearch_url, opensearch_prefix, sample_archive) -> Iterator[Pair]:
    """Both stores; in OpenSearch, vectors are compared one by one, or by a graph of Lucene's."""
    connection = Connection(opensearch_url, prefix=f"{opensearch_prefix}{request.param}-", timeout_s=60)
    with EmbeddedStore(sample_archive) as ours, OpenSearchStore(connection, Layout(request.param)) as theirs:
        copied(ours, theirs)
        yield Pair(ours, theirs, MISSED[request.param])
        theirs.server.call("DELETE", f"/{connection.prefix}*", expand_wildcards="all")


def copied(ours: EmbeddedStore, theirs: OpenSearchStore) -> None:
    [published] = [each for each in ours.generations() if each.published]
    hashes = ours.content_hashes(published.name)
    name = theirs.begin(encoder=published.encoder, tokenizer=published.tokenizer, fresh=True).name
    entries = []
    for document_id, content_hash in hashes.items():
        document, paragraphs = ours.get(document_id)
        digests = [each.hash_text() for each in paragraphs]
        known = ours.encodings(published.name, digests)
        entries.append(Entry(document, content_hash, paragraphs, tuple(known[each] for each in digests)))
    theirs.add(name, entries)
    theirs.publish(name)


@pytest.fixture(scope="session")
def drafts() -> dict[str, Draft]:
    """The drafts that are shipped, by name."""
    return {path.stem: read_draft(path) for path in sorted(locate_shipped("samples/drafts").glob("*.md"))}


@pytest.fixture(scope="session")
def runner(models) -> InlineRunner:
    return InlineRunner(lambda: models)
