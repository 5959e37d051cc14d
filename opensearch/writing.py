"""Write documents to an unfinished generation, and delete them.

A generation has an index of documents and an index of paragraphs. A document exists if it has a row in the
index of documents. Its paragraphs are written before that row. Batch names distinguish them from the
paragraphs of an earlier version, which are deleted last. So if a writer is killed at any moment, every
document is either unchanged or completely replaced. `sweep` deletes the paragraphs of documents that have no
row.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from opensearch.facts import StoredGeneration
from opensearch.failures import RowRefused, list_rows
from opensearch.paging import read_rows as paged
from opensearch.rows import (
    build_document_row,
    build_paragraph_rows,
    extract_document_key,
    hash_document_id,
    list_paragraph_keys,
    list_texts,
)
from opensearch.server import Server
from rostrum_core.entry_validation import check
from rostrum_core.errors import DocumentRefused, StoreError
from rostrum_core.ports import Entry

TOGETHER = 1000
"""Number of documents looked up per request."""

Confirm = Callable[[], None]
"""Function that raises `ArchiveBusy` if the writer's lock was lost, before anything is changed."""


def check_entries(entries: Iterable[Entry], width: int | None) -> tuple[dict[str, Entry], int | None]:
    """Check entries (documents with paragraphs and vectors); return them by document id, and the width of
    the vectors.

    If a document id occurs several times, its last entry is returned.

    Raises:
        DocumentRefused, StoreError: an entry is invalid.
    """
    unique: dict[str, Entry] = {}
    for entry in entries:
        width = check(entry, width)
        for text in list_texts(entry):
            _check_text(entry.document.id, text)
        unique[entry.document.id] = entry
    return unique, width


def add(server: Server, into: StoredGeneration, entries: Mapping[str, Entry]) -> None:
    """Add documents to a generation, replacing documents with the same id.

    The entries must come from `check_entries`.

    Raises:
        DocumentRefused: a document cannot be stored; some of the others may have been added.
    """
    before = list(_list_paragraphs(server, into, list(entries)))
    batch = secrets.token_hex(8)
    paragraphs = (row for entry in entries.values() for row in build_paragraph_rows(entry, batch))
    with_info = into.facts.has_info
    documents = (build_document_row(entry, batch, with_info=with_info) for entry in entries.values())
    with _name_refusals(entries):
        server.write(into.paragraphs, paragraphs)
        server.write(into.documents, documents)
    server.write(into.paragraphs, ((key, None) for key in before))
    refresh(server, into)


def delete(server: Server, out_of: StoredGeneration, document_ids: Sequence[str]) -> None:
    """Remove the documents with these ids from a generation; ignore ids of documents that it does
    not have.
    """
    before = list(_list_paragraphs(server, out_of, document_ids))
    server.write(out_of.documents, ((hash_document_id(name), None) for name in dict.fromkeys(document_ids)))
    server.write(out_of.paragraphs, ((key, None) for key in before))
    refresh(server, out_of)


def refresh(server: Server, generation: StoredGeneration) -> None:
    """Refresh the indices of a generation, so that searches see everything that was written."""
    server.call("POST", f"/{generation.paragraphs},{generation.documents}/_refresh")


def count(server: Server, generation: StoredGeneration) -> tuple[int, int]:
    """Return the number of documents, and the sum of the paragraph counts that these documents record."""
    body = {"size": 0, "track_total_hits": True, "aggs": {"paragraphs": {"sum": {"field": "paragraphs"}}}}
    response = server.call("POST", f"/{generation.documents}/_search", body)
    return response["hits"]["total"]["value"], int(response["aggregations"]["paragraphs"]["value"])


def count_rows(server: Server, generation: StoredGeneration) -> int:
    """Return how many rows the index of paragraphs has, including rows that a killed writer left."""
    number: int = server.call("GET", f"/{generation.paragraphs}/_count")["count"]
    return number


def mend(server: Server, generation: StoredGeneration, confirm: Confirm) -> bool:
    """Delete the paragraphs that a killed writer left without a document.

    Return whether every document has all its paragraphs. Some may be missing after a snapshot was restored,
    because a snapshot saves the indices at different moments. The caller must then copy the base, the
    generation before this one, again.
    """
    refresh(server, generation)  # the last rows of a killed writer
    _, paragraphs = count(server, generation)
    return count_rows(server, generation) == paragraphs or _sweep(server, generation, confirm)


def sweep(server: Server, generation: StoredGeneration, confirm: Confirm) -> tuple[int, int]:
    """Delete paragraphs without a document's row, and return how many documents and paragraphs remain.

    Raises:
        StoreError: a document lacks paragraphs.
    """
    refresh(server, generation)
    documents, paragraphs = count(server, generation)
    if count_rows(server, generation) != paragraphs:
        _sweep(server, generation, confirm)
    if (there := count_rows(server, generation)) != paragraphs:
        raise StoreError(
            f"generation {generation.name} has {there} paragraphs where its documents have {paragraphs}"
        )
    return documents, paragraphs


def _sweep(server: Server, generation: StoredGeneration, confirm: Confirm) -> bool:
    """Delete paragraphs without a document's row, and return whether all documents have all their
    paragraphs.
    """
    strays, short = _find_unmatched(server, generation)
    confirm()  # searching takes minutes if there are many
    server.write(generation.paragraphs, ((key, None) for key in strays))
    refresh(server, generation)
    return not short


def _find_unmatched(server: Server, generation: StoredGeneration) -> tuple[list[str], list[str]]:
    """Return (strays, short): paragraphs without a stored document, and documents that lack paragraphs.

    `strays` has the `_id` of each such paragraph, `short` the id of each such document. A paragraph belongs
    to a document only if both were written in the same batch.
    """
    documents = paged(
        server, generation.documents, ["document_id"], source=["document_id", "batch", "paragraphs"]
    )
    by_document = {hit["_source"]["document_id"]: hit["_source"] for hit in documents}
    lacking = {name: row["paragraphs"] for name, row in by_document.items()}
    strays = []
    place = ["document_id", "batch", "ordinal"]
    for hit in paged(server, generation.paragraphs, place, source=["document_id", "batch"]):
        name, batch = hit["_source"]["document_id"], hit["_source"]["batch"]
        if name in by_document and by_document[name]["batch"] == batch:
            lacking[name] -= 1
        else:
            strays.append(hit["_id"])
    return strays, [name for name, missing in lacking.items() if missing]


def _list_paragraphs(
    server: Server, generation: StoredGeneration, document_ids: Sequence[str]
) -> Iterator[str]:
    """Yield the `_id` of each paragraph of the current versions of these documents."""
    for first in range(0, len(document_ids), TOGETHER):
        body = {"ids": [hash_document_id(name) for name in document_ids[first : first + TOGETHER]]}
        response = server.call(
            "POST", f"/{generation.documents}/_mget", body, _source="document_id,batch,paragraphs"
        )
        for row in list_rows(response):
            row = row["_source"]
            yield from list_paragraph_keys(row["document_id"], row["batch"], row["paragraphs"])


@contextmanager
def _name_refusals(entries: Mapping[str, Entry]) -> Iterator[None]:
    """Raise `DocumentRefused`, which names the document, instead of an error that names one of its rows."""
    try:
        yield
    except RowRefused as error:
        named = {hash_document_id(name): name for name in entries}
        raise DocumentRefused(named[extract_document_key(error.key)], error.reason) from error


def _check_text(document_id: str, text: str | None) -> None:
    try:
        (text or "").encode()
    except UnicodeEncodeError as error:
        raise DocumentRefused(document_id, "a lone surrogate, which OpenSearch cannot keep") from error
