"""Check a generation before readers see it: its counts, and a sample of its documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opensearch import reading, writing
from opensearch.facts import StoredGeneration
from opensearch.server import Server
from rostrum_core.errors import StoreError

SAMPLE = 20
"""Number of documents in the sample.

The counts cover all rows; the sample shows that they can be read in order.
"""


def check(server: Server, generation: StoredGeneration, documents: int, paragraphs: int) -> None:
    """Check that a generation has these counts, and that a sample of its documents can be read as written.

    Raises:
        StoreError: a count differs, or a document in the sample is damaged.
    """
    counts = (*writing.count(server, generation), writing.count_rows(server, generation))
    if counts != (documents, paragraphs, paragraphs):
        message = f"{counts[0]} documents with {counts[1]} paragraphs, of which {counts[2]} are there"
        raise StoreError(
            f"generation {generation.name} has {message}: {documents} and {paragraphs} were written"
        )
    for row in _draw_rows(server, generation):
        _check_whole(server, generation, row)


def _draw_rows(server: Server, generation: StoredGeneration) -> Iterator[dict[str, Any]]:
    body = {
        "size": SAMPLE,
        "query": {"function_score": {"query": {"match_all": {}}, "random_score": {}}},
        "_source": ["document_id", "paragraphs"],
    }
    for hit in server.call("POST", f"/{generation.documents}/_search", body)["hits"]["hits"]:
        yield hit["_source"]


def _check_whole(server: Server, generation: StoredGeneration, row: dict[str, Any]) -> None:
    """Read a document as readers do, and check that it has all its paragraphs and that they match its text.

    `row` has the document's id and its number of paragraphs.
    """
    name, read = row["document_id"], reading.get(server, generation, row["document_id"])
    document, paragraphs = read if read is not None else (None, ())
    whole = document is not None and all(
        document.text[paragraph.start_char : paragraph.end_char] == paragraph.text for paragraph in paragraphs
    )
    if not whole or [paragraph.ordinal for paragraph in paragraphs] != list(range(row["paragraphs"])):
        raise StoreError(
            f"generation {generation.name} does not give back the document {name!r} as it was written"
        )
