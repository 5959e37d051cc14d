"""Check a generation before readers see it: its counts, and a sample of its documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opensearch import reading, writing
from opensearch.facts import Found
from opensearch.server import Server
from rostrum_core.errors import StoreError

SAMPLE = 20
"""Documents that are read back. The counts cover all; the sample shows that rows can be read, in order."""


def check(server: Server, found: Found, documents: int, paragraphs: int) -> None:
    """Raise unless the generation has these counts and a sample of its documents is whole.

    Raises:
        StoreError: a count differs, or a document is not whole.
    """
    held = (*writing.count(server, found), writing.rows(server, found))
    if held != (documents, paragraphs, paragraphs):
        told = f"{held[0]} documents with {held[1]} paragraphs, of which {held[2]} are there"
        raise StoreError(f"generation {found.name} has {told}: {documents} and {paragraphs} were written")
    for row in _drawn(server, found):
        _check_whole(server, found, row)


def _drawn(server: Server, found: Found) -> Iterator[dict[str, Any]]:
    body = {
        "size": SAMPLE,
        "query": {"function_score": {"query": {"match_all": {}}, "random_score": {}}},
        "_source": ["document_id", "paragraphs"],
    }
    for hit in server.call("POST", f"/{found.documents}/_search", body)["hits"]["hits"]:
        yield hit["_source"]


def _check_whole(server: Server, found: Found, row: dict[str, Any]) -> None:
    """Read a document back as readers do, and compare its paragraphs with its text."""
    name, read = row["document_id"], reading.get(server, found, row["document_id"])
    document, paragraphs = read if read is not None else (None, ())
    whole = document is not None and all(
        document.text[each.start_char : each.end_char] == each.text for each in paragraphs
    )
    if not whole or [each.ordinal for each in paragraphs] != list(range(row["paragraphs"])):
        raise StoreError(
            f"generation {found.name} does not give back the document {name!r} as it was written"
        )
