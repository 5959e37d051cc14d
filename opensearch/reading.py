"""Read documents, metadata, encodings and word counts of a generation.

`opensearch.candidates` reads the paragraphs that match a query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opensearch import rows
from opensearch.facts import StoredGeneration
from opensearch.failures import list_rows, require_whole
from opensearch.infos import Infos
from opensearch.paging import PAGE
from opensearch.paging import read_rows as paged
from opensearch.queries import count_having, read_column
from opensearch.server import Searcher
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Document, DocumentInfo, Encoding, Paragraph

TOGETHER = 500
"""Number of ids, hashes or words per request."""

TOGETHER_NAMED = 5000
"""Number of speakers per request; OpenSearch returns at most 65,535 (`search.max_buckets`)."""


def get(
    server: Searcher, generation: StoredGeneration, document_id: str
) -> tuple[Document, tuple[Paragraph, ...]] | None:
    """Return a document and its paragraphs in order; `None` if no document has this id.

    This takes one request, unless the document has more than `PAGE` paragraphs.
    """
    query = {"term": {"document_id": escape_surrogates(document_id)}}
    columns = {"_source": False, "stored_fields": "_none_", "docvalue_fields": ["packed"]}
    ordered = {"size": PAGE, "query": query, "sort": ["ordinal"], "track_total_hits": False, **columns}
    document = {"size": 1, "query": {"ids": {"values": [rows.hash_document_id(document_id)]}}}
    there, paragraphs = server.search_many(
        [(generation.documents, document), (generation.paragraphs, ordered)]
    )
    if not (documents := there["hits"]):
        return None
    hits = paragraphs["hits"]
    if len(hits) == PAGE:
        hits = paged(server, generation.paragraphs, ["ordinal"], columns=["packed"], query=query)
    unpacked = (rows.unpack_paragraph(read_column(hit, "packed")) for hit in hits)
    return rows.parse_document(documents[0]["_source"]), tuple(paragraph for paragraph, _ in unpacked)


def read_infos(server: Searcher, generation: StoredGeneration, after: str = "") -> Iterator[DocumentInfo]:
    """Yield the metadata of all documents whose id comes after `after`, ordered by id."""
    following = {"range": {"document_id": {"gt": escape_surrogates(after)}}} if after else None
    hits = paged(server, generation.documents, ["document_id"], source=rows.INFO_ROW, query=following)
    yield from (rows.parse_info(hit["_source"]) for hit in hits)


def read_named_infos(
    server: Searcher, generation: StoredGeneration, ids: Sequence[str], infos: Infos
) -> list[DocumentInfo]:
    """Return the metadata of the documents in `ids`, ordered by id.

    Metadata in the cache `infos` is not requested from the cluster.
    """
    kept = infos.find(generation, ids)
    names = sorted(set(ids) - kept.keys())
    for first in range(0, len(names), TOGETHER):
        body = {"ids": [rows.hash_document_id(name) for name in names[first : first + TOGETHER]]}
        response = server.call(
            "POST", f"/{generation.documents}/_mget", body, _source=",".join(rows.INFO_ROW)
        )
        kept |= {info.id: info for info in map(_parse_info, list_rows(response))}
    return [kept[name] for name in sorted(kept)]


def _parse_info(row: Mapping[str, Any]) -> DocumentInfo:
    return rows.parse_info(row["_source"])


def read_content_hashes(server: Searcher, generation: StoredGeneration) -> dict[str, str]:
    """Return the content hash of each document, by document id."""
    columns = ["document_id", "content_hash"]
    hits = paged(server, generation.documents, ["document_id"], columns=columns)
    return {read_column(hit, "document_id"): read_column(hit, "content_hash") for hit in hits}


def list_speakers(server: Searcher, generation: StoredGeneration) -> tuple[str, ...]:
    """Return the names of all speakers of a generation, casefolded and sorted."""
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


def count_documents(server: Searcher, generation: StoredGeneration, words: Sequence[str]) -> list[int]:
    """Return the number of paragraphs in which each word occurs; 0 for a stop word.

    A word of several parts, such as "well-known", counts in paragraphs that have all parts.
    """
    counts: list[int] = []
    for first in range(0, len(words), TOGETHER):
        bodies = [count_having(word) for word in words[first : first + TOGETHER]]
        answers = server.search_many([(generation.paragraphs, body) for body in bodies])
        counts += [answer["total"]["value"] for answer in answers]
    return counts


def read_encodings(
    server: Searcher, generation: StoredGeneration, text_hashes: Sequence[str]
) -> dict[str, Encoding]:
    """Return the stored encodings (tokens and vector) of texts with these hashes, by text hash."""
    if generation.facts.width is None:
        return {}
    wanted, encodings = sorted(set(text_hashes)), {}
    for first in range(0, len(wanted), TOGETHER):
        body = {
            "size": TOGETHER,
            "query": {"terms": {"text_hash": wanted[first : first + TOGETHER]}},
            "collapse": {"field": "text_hash"},
            "_source": ["embedding"],
            "docvalue_fields": ["text_hash", "packed"],
        }
        for hit in server.call("POST", f"/{generation.paragraphs}/_search", body)["hits"]["hits"]:
            packed, vector = read_column(hit, "packed"), hit["_source"]["embedding"]
            encodings[read_column(hit, "text_hash")] = rows.parse_encoding(packed, vector)
    return encodings
