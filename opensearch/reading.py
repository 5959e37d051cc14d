"""Read everything from one generation except its candidates for a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from opensearch import rows
from opensearch.facts import StoredGeneration
from opensearch.failures import list_rows, require_whole
from opensearch.paging import read_rows as paged
from opensearch.queries import PARAGRAPH_TEXT, read_column
from opensearch.server import Server
from rostrum_core.packing import INFO, escape_surrogates
from rostrum_core.types import Document, DocumentInfo, Encoding, Paragraph

TOGETHER = 500
"""Ids, hashes or words per request."""

TOGETHER_NAMED = 5000
"""Names of speakers per request; OpenSearch returns at most 65,535 (`search.max_buckets`)."""

INFO_ROW = ["document_id", *(name for name in INFO if name != "id"), "paragraphs", "speakers"]


def get(
    server: Server, generation: StoredGeneration, document_id: str
) -> tuple[Document, tuple[Paragraph, ...]] | None:
    """Return a document and its paragraphs in order; `None` if no document has this id."""
    body = {"ids": [rows.hash_document_id(document_id)]}
    there = list_rows(server.call("POST", f"/{generation.documents}/_mget", body))
    if not there:
        return None
    query = {"term": {"document_id": document_id}}
    hits = paged(server, generation.paragraphs, ["ordinal"], columns=["packed"], query=query)
    paragraphs = (rows.unpack_paragraph(read_column(hit, "packed")) for hit in hits)
    return rows.parse_document(there[0]["_source"]), tuple(paragraph for paragraph, _ in paragraphs)


def read_infos(
    server: Server, generation: StoredGeneration, ids: Sequence[str] | None, after: str = ""
) -> Iterator[DocumentInfo]:
    """Yield the metadata of all documents, or only of those in `ids`, after an id, ordered by id."""
    if ids is None:
        following = {"range": {"document_id": {"gt": escape_surrogates(after)}}} if after else None
        hits = paged(server, generation.documents, ["document_id"], source=INFO_ROW, query=following)
        yield from (rows.parse_info(hit["_source"]) for hit in hits)
        return
    names = sorted(name for name in set(ids) if not after or name > after)
    for first in range(0, len(names), TOGETHER):
        body = {"ids": [rows.hash_document_id(name) for name in names[first : first + TOGETHER]]}
        response = server.call("POST", f"/{generation.documents}/_mget", body, _source=",".join(INFO_ROW))
        yield from (rows.parse_info(row["_source"]) for row in list_rows(response))


def read_content_hashes(server: Server, generation: StoredGeneration) -> dict[str, str]:
    """Return the content hash of each document by its id."""
    columns = ["document_id", "content_hash"]
    hits = paged(server, generation.documents, ["document_id"], columns=columns)
    return {read_column(hit, "document_id"): read_column(hit, "content_hash") for hit in hits}


def list_speakers(server: Server, generation: StoredGeneration) -> tuple[str, ...]:
    """Return all speakers of any document, casefolded and sorted."""
    named: list[str] = []
    source: dict[str, object] = {"name": {"terms": {"field": "speaker_folded"}}}
    request: dict[str, Any] = {"size": TOGETHER_NAMED, "sources": [source]}
    while True:
        body = {"size": 0, "aggs": {"speakers": {"composite": request}}, "track_total_hits": False}
        answer = require_whole(server.call("POST", f"/{generation.documents}/_search", body))
        page = answer["aggregations"]["speakers"]
        named += [bucket["key"]["name"] for bucket in page["buckets"]]
        if "after_key" not in page:
            return tuple(named)
        request["after"] = page["after_key"]


def count_documents(server: Server, generation: StoredGeneration, words: Sequence[str]) -> list[int]:
    """Return the number of paragraphs in which each word occurs.

    A stop word occurs in none. A word of several parts occurs in the paragraphs that have all of them.
    """
    counts: list[int] = []
    for first in range(0, len(words), TOGETHER):
        bodies = [_count_having(word) for word in words[first : first + TOGETHER]]
        answers = server.search_many([(generation.paragraphs, body) for body in bodies])
        counts += [answer["total"]["value"] for answer in answers]
    return counts


def read_encodings(
    server: Server, generation: StoredGeneration, text_hashes: Sequence[str]
) -> dict[str, Encoding]:
    """Return the existing encodings by text hash."""
    if generation.facts.width is None:
        return {}
    wanted, encodings = sorted(set(text_hashes)), {}
    for first in range(0, len(wanted), TOGETHER):
        body = {
            "size": TOGETHER,
            "query": {"terms": {"text_hash": wanted[first : first + TOGETHER]}},
            "collapse": {"field": "text_hash"},
            "_source": ["text_hash", "packed", "embedding"],
        }
        for hit in server.call("POST", f"/{generation.paragraphs}/_search", body)["hits"]["hits"]:
            encodings[hit["_source"]["text_hash"]] = rows.parse_encoding(hit["_source"])
    return encodings


def _count_having(word: str) -> dict[str, object]:
    match = {"match": {PARAGRAPH_TEXT: {"query": escape_surrogates(word), "operator": "and"}}}
    return {"size": 0, "query": match, "track_total_hits": True}
