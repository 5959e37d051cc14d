"""Find paragraphs of a generation that share runs of words with a text.

They are found by pairs of consecutive words, which the index keeps in the field `text.shingles`.
"""

from __future__ import annotations

from collections.abc import Sequence

from opensearch import rows
from opensearch.facts import StoredGeneration
from opensearch.queries import SHINGLES, Body, build_clauses, cut_words, read_column
from opensearch.server import Searcher
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Filter, Paragraph

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
    adjacent = [(result.paragraphs, _search_adjacent(paragraphs)) for paragraphs in hits if paragraphs]
    neighbours = iter(server.search_many(adjacent)) if adjacent else iter(())
    return [
        [*item, *_omit_known(_read_paragraphs(next(neighbours)["hits"]), item)] if item else []
        for item in hits
    ]


def _search_sharing(text: str, limit: int, filter: Filter) -> Body:
    words = cut_words(escape_surrogates(text))
    query: Body = {"bool": {"must": [{"match": {SHINGLES: words}}], "filter": build_clauses(filter)}}
    return {"size": limit, "query": query, **PACKED}


def _search_adjacent(paragraphs: Sequence[Paragraph]) -> Body:
    """Return a search for the paragraphs before and after each of `paragraphs`."""
    ordinals: dict[str, set[int]] = {}
    for item in paragraphs:
        ordinals.setdefault(item.document_id, set()).update((item.ordinal - 1, item.ordinal + 1))
    runs = [
        {"bool": {"filter": [{"term": {"document_id": document}}, {"terms": {"ordinal": sorted(around)}}]}}
        for document, around in ordinals.items()
    ]
    return {
        "size": 2 * len(paragraphs),
        "query": {"bool": {"should": runs, "minimum_should_match": 1}},
        **PACKED,
    }


def _read_paragraphs(hits: Sequence[Body]) -> list[Paragraph]:
    return [rows.unpack_paragraph(read_column(hit, "packed"))[0] for hit in hits]


def _omit_known(paragraphs: Sequence[Paragraph], details: Sequence[Paragraph]) -> list[Paragraph]:
    ids = {item.id for item in details}
    return [item for item in paragraphs if item.id not in ids]
