"""Read everything from one generation except its candidates for a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from opensearch import rows
from opensearch.facts import Found
from opensearch.failures import rows_there, whole
from opensearch.paging import rows as paged
from opensearch.queries import PARAGRAPH_TEXT, column
from opensearch.server import Server
from rostrum_core.packing import INFO, escape_surrogates
from rostrum_core.types import Document, DocumentInfo, Encoding, Paragraph

TOGETHER = 500
"""Ids, hashes or words per request."""

TOGETHER_NAMED = 5000
"""Names of speakers per request; OpenSearch returns at most 65,535 (`search.max_buckets`)."""

INFO_ROW = ["document_id", *(name for name in INFO if name != "id"), "paragraphs", "speakers"]


def get(server: Server, found: Found, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
    """Return a document and its paragraphs in order; `None` if no document has this id."""
    body = {"ids": [rows.document_key(document_id)]}
    there = rows_there(server.call("POST", f"/{found.documents}/_mget", body))
    if not there:
        return None
    query = {"term": {"document_id": document_id}}
    hits = paged(server, found.paragraphs, ["ordinal"], columns=["packed"], query=query)
    paragraphs = (rows.paragraph(column(hit, "packed")) for hit in hits)
    return rows.document(there[0]["_source"]), tuple(paragraph for paragraph, _ in paragraphs)


def infos(server: Server, found: Found, ids: Sequence[str] | None, after: str = "") -> Iterator[DocumentInfo]:
    """Yield the metadata of all documents, or only of those in `ids`, after an id, ordered by id."""
    if ids is None:
        following = {"range": {"document_id": {"gt": escape_surrogates(after)}}} if after else None
        hits = paged(server, found.documents, ["document_id"], source=INFO_ROW, query=following)
        yield from (rows.info(hit["_source"]) for hit in hits)
        return
    names = sorted(name for name in set(ids) if not after or name > after)
    for first in range(0, len(names), TOGETHER):
        body = {"ids": [rows.document_key(name) for name in names[first : first + TOGETHER]]}
        told = server.call("POST", f"/{found.documents}/_mget", body, _source=",".join(INFO_ROW))
        yield from (rows.info(each["_source"]) for each in rows_there(told))


def content_hashes(server: Server, found: Found) -> dict[str, str]:
    """Return the content hash of each document by its id."""
    columns = ["document_id", "content_hash"]
    hits = paged(server, found.documents, ["document_id"], columns=columns)
    return {column(hit, "document_id"): column(hit, "content_hash") for hit in hits}


def speakers(server: Server, found: Found) -> tuple[str, ...]:
    """Return all speakers of any document, casefolded and sorted."""
    named: list[str] = []
    source: dict[str, object] = {"name": {"terms": {"field": "speaker_folded"}}}
    asked: dict[str, Any] = {"size": TOGETHER_NAMED, "sources": [source]}
    while True:
        body = {"size": 0, "aggs": {"speakers": {"composite": asked}}, "track_total_hits": False}
        answer = whole(server.call("POST", f"/{found.documents}/_search", body))
        page = answer["aggregations"]["speakers"]
        named += [bucket["key"]["name"] for bucket in page["buckets"]]
        if "after_key" not in page:
            return tuple(named)
        asked["after"] = page["after_key"]


def document_frequency(server: Server, found: Found, words: Sequence[str]) -> list[int]:
    """Return the number of paragraphs in which each word occurs.

    A stop word occurs in none. A word of several parts occurs in the paragraphs that have all of them.
    """
    counts: list[int] = []
    for first in range(0, len(words), TOGETHER):
        bodies = [_having(word) for word in words[first : first + TOGETHER]]
        answers = server.searches([(found.paragraphs, body) for body in bodies])
        counts += [answer["total"]["value"] for answer in answers]
    return counts


def encodings(server: Server, found: Found, text_hashes: Sequence[str]) -> dict[str, Encoding]:
    """Return the existing encodings by text hash."""
    if found.facts.width is None:
        return {}
    wanted, known = sorted(set(text_hashes)), {}
    for first in range(0, len(wanted), TOGETHER):
        body = {
            "size": TOGETHER,
            "query": {"terms": {"text_hash": wanted[first : first + TOGETHER]}},
            "collapse": {"field": "text_hash"},
            "_source": ["text_hash", "packed", "embedding"],
        }
        for hit in server.call("POST", f"/{found.paragraphs}/_search", body)["hits"]["hits"]:
            known[hit["_source"]["text_hash"]] = rows.encoding(hit["_source"])
    return known


def _having(word: str) -> dict[str, object]:
    match = {"match": {PARAGRAPH_TEXT: {"query": escape_surrogates(word), "operator": "and"}}}
    return {"size": 0, "query": match, "track_total_hits": True}
