"""Write documents to an unfinished generation, and delete them.

A document exists when its row does. Its paragraphs are written before the row. The batch names distinguish
them from the paragraphs of an earlier version, which are deleted last. So a writer that is killed at any
moment leaves every document either unchanged or completely replaced. `sweep` deletes paragraphs without a
row.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from opensearch.facts import Found
from opensearch.failures import RowRefused, rows_there
from opensearch.paging import rows as paged
from opensearch.rows import document_key, document_of_key, document_row, paragraph_keys, paragraph_rows, texts
from opensearch.server import Server
from rostrum_core.entry_validation import check
from rostrum_core.errors import DocumentRefused, StoreError
from rostrum_core.ports import Entry

TOGETHER = 1000
"""Documents looked up per request."""

Confirm = Callable[[], None]
"""Raise `ArchiveBusy` if the writer's lock was lost, before anything is changed."""


def checked(entries: Iterable[Entry], width: int | None) -> tuple[dict[str, Entry], int | None]:
    """Return the last entry per document id, and the width of the archive's vectors with them.

    Raises:
        DocumentRefused, StoreError: an entry is invalid.
    """
    found: dict[str, Entry] = {}
    for entry in entries:
        width = check(entry, width)
        for text in texts(entry):
            _check_text(entry.document.id, text)
        found[entry.document.id] = entry
    return found, width


def add(server: Server, into: Found, entries: Mapping[str, Entry]) -> None:
    """Add documents that are `checked`, replacing those of the same id.

    Raises:
        DocumentRefused: a document cannot be kept; some of the others may have been added.
    """
    before = list(_paragraphs_of(server, into, list(entries)))
    batch = secrets.token_hex(8)
    paragraphs = (row for entry in entries.values() for row in paragraph_rows(entry, batch))
    with _refusals_named(entries):
        server.write(into.paragraphs, paragraphs)
        server.write(into.documents, (document_row(entry, batch) for entry in entries.values()))
    server.write(into.paragraphs, ((key, None) for key in before))
    refresh(server, into)


def delete(server: Server, out_of: Found, document_ids: Sequence[str]) -> None:
    """Remove documents; ignore unknown ids."""
    before = list(_paragraphs_of(server, out_of, document_ids))
    server.write(out_of.documents, ((document_key(name), None) for name in dict.fromkeys(document_ids)))
    server.write(out_of.paragraphs, ((key, None) for key in before))
    refresh(server, out_of)


def refresh(server: Server, found: Found) -> None:
    """Refresh the indices, so that searches see everything that was written."""
    server.call("POST", f"/{found.paragraphs},{found.documents}/_refresh")


def count(server: Server, found: Found) -> tuple[int, int]:
    """Return the number of documents and the number of their paragraphs."""
    body = {"size": 0, "track_total_hits": True, "aggs": {"paragraphs": {"sum": {"field": "paragraphs"}}}}
    told = server.call("POST", f"/{found.documents}/_search", body)
    return told["hits"]["total"]["value"], int(told["aggregations"]["paragraphs"]["value"])


def rows(server: Server, found: Found) -> int:
    """Return the number of rows of paragraphs, of any batch."""
    number: int = server.call("GET", f"/{found.paragraphs}/_count")["count"]
    return number


def mend(server: Server, found: Found, confirm: Confirm) -> bool:
    """Delete paragraphs without a document's row, which a killed writer left in a resumed generation.

    Return whether all documents are whole then. A document may lack paragraphs after a snapshot, which has
    each index at another moment. The base of this generation has its previous version.
    """
    refresh(server, found)  # the last rows of a killed writer
    _, paragraphs = count(server, found)
    return rows(server, found) == paragraphs or _swept(server, found, confirm)


def sweep(server: Server, found: Found, confirm: Confirm) -> tuple[int, int]:
    """Delete paragraphs that belong to no document's row; return the counts of documents and paragraphs.

    Raises:
        StoreError: paragraphs are missing.
    """
    refresh(server, found)
    documents, paragraphs = count(server, found)
    if rows(server, found) != paragraphs:
        _swept(server, found, confirm)
    if (there := rows(server, found)) != paragraphs:
        raise StoreError(
            f"generation {found.name} has {there} paragraphs where its documents have {paragraphs}"
        )
    return documents, paragraphs


def _swept(server: Server, found: Found, confirm: Confirm) -> bool:
    """Delete paragraphs without a document's row; return whether no document lacks any."""
    strays, short = _unmatched(server, found)
    confirm()  # searching takes minutes if there are many
    server.write(found.paragraphs, ((key, None) for key in strays))
    refresh(server, found)
    return not short


def _unmatched(server: Server, found: Found) -> tuple[list[str], list[str]]:
    """Return keys of paragraphs without a document's row, and ids of documents that lack paragraphs."""
    documents = paged(server, found.documents, ["document_id"], source=["document_id", "batch", "paragraphs"])
    told = {hit["_source"]["document_id"]: hit["_source"] for hit in documents}
    lacking = {name: row["paragraphs"] for name, row in told.items()}
    strays = []
    place = ["document_id", "batch", "ordinal"]
    for hit in paged(server, found.paragraphs, place, source=["document_id", "batch"]):
        name, batch = hit["_source"]["document_id"], hit["_source"]["batch"]
        if name in told and told[name]["batch"] == batch:
            lacking[name] -= 1
        else:
            strays.append(hit["_id"])
    return strays, [name for name, missing in lacking.items() if missing]


def _paragraphs_of(server: Server, found: Found, document_ids: Sequence[str]) -> Iterator[str]:
    """Yield the `_id` of all current paragraphs of these documents."""
    for first in range(0, len(document_ids), TOGETHER):
        body = {"ids": [document_key(name) for name in document_ids[first : first + TOGETHER]]}
        told = server.call("POST", f"/{found.documents}/_mget", body, _source="document_id,batch,paragraphs")
        for each in rows_there(told):
            row = each["_source"]
            yield from paragraph_keys(row["document_id"], row["batch"], row["paragraphs"])


@contextmanager
def _refusals_named(entries: Mapping[str, Entry]) -> Iterator[None]:
    """Translate a refused row to the document that it belongs to."""
    try:
        yield
    except RowRefused as error:
        named = {document_key(name): name for name in entries}
        raise DocumentRefused(named[document_of_key(error.key)], error.reason) from error


def _check_text(document_id: str, text: str | None) -> None:
    try:
        (text or "").encode()
    except UnicodeEncodeError as error:
        raise DocumentRefused(document_id, "a lone surrogate, which OpenSearch cannot keep") from error
