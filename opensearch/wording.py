"""Find paragraphs of a generation that share runs of words with a text.

They are found by pairs of consecutive words, which the index keeps in the field `text.shingles`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from opensearch import rows
from opensearch.facts import StoredGeneration
from opensearch.queries import SHINGLES, Body, build_clauses, cut_words, read_column
from opensearch.server import Searcher
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Filter, Paragraph

DOCUMENTS_TOGETHER = 300
"""Number of documents whose adjacent paragraphs one search asks for: three clauses each, of at most 1,024."""

PACKED: Body = {
    "_source": False,
    "stored_fields": "_none_",
    "docvalue_fields": ["packed"],
    "track_total_hits": False,
}


def find_wording(
    server: Searcher, result: StoredGeneration, texts: Sequence[str], limit: int, filter: Filter
) -> list[list[Paragraph]]:
    """Return for each text the paragraphs that share the most pairs of consecutive words with it, then the
    paragraphs next to them.
    """
    if result.facts.width is None or not texts:
        return [[] for _ in texts]
    searches = [(result.paragraphs, _search_sharing(text, limit, filter)) for text in texts]
    hits = [_read_paragraphs(response["hits"]) for response in server.search_many(searches)]
    adjacent = _read_adjacent(server, result.paragraphs, hits)
    return [[*item, *_omit_known(around, item)] for item, around in zip(hits, adjacent, strict=True)]


def _search_sharing(text: str, limit: int, filter: Filter) -> Body:
    words = cut_words(escape_surrogates(text))
    query: Body = {"bool": {"must": [{"match": {SHINGLES: words}}], "filter": build_clauses(filter)}}
    return {"size": limit, "query": query, **PACKED}


def _read_adjacent(
    server: Searcher, index: str, details: Sequence[Sequence[Paragraph]]
) -> list[list[Paragraph]]:
    """Return for each list of paragraphs those that come before and after them in their documents."""
    searches = [(at, body) for at, item in enumerate(details) for body in _search_adjacent(item)]
    responses = server.search_many([(index, body) for _, body in searches])
    adjacent: list[list[Paragraph]] = [[] for _ in details]
    for (at, _), response in zip(searches, responses, strict=True):
        adjacent[at] += _read_paragraphs(response["hits"])
    return adjacent


def _search_adjacent(paragraphs: Sequence[Paragraph]) -> Iterator[Body]:
    """Yield searches for the paragraphs before and after each of `paragraphs`.

    A search is for `DOCUMENTS_TOGETHER` documents at most.
    """
    ordinals: dict[str, set[int]] = {}
    for item in paragraphs:
        ordinals.setdefault(item.document_id, set()).update((item.ordinal - 1, item.ordinal + 1))
    documents = list(ordinals)
    for first in range(0, len(documents), DOCUMENTS_TOGETHER):
        together = documents[first : first + DOCUMENTS_TOGETHER]
        yield _search_ordinals({document: ordinals[document] for document in together})


def _search_ordinals(ordinals: Mapping[str, set[int]]) -> Body:
    """Return a search for the paragraphs with these ordinals, by document id."""
    runs = [
        {"bool": {"filter": [{"term": {"document_id": document}}, {"terms": {"ordinal": sorted(around)}}]}}
        for document, around in ordinals.items()
    ]
    return {
        "size": sum(map(len, ordinals.values())),
        "query": {"bool": {"should": runs, "minimum_should_match": 1}},
        **PACKED,
    }


def _read_paragraphs(hits: Sequence[Body]) -> list[Paragraph]:
    return [rows.unpack_paragraph(read_column(hit, "packed"))[0] for hit in hits]


def _omit_known(paragraphs: Sequence[Paragraph], details: Sequence[Paragraph]) -> list[Paragraph]:
    ids = {item.id for item in details}
    return [item for item in paragraphs if item.id not in ids]
