"""The first stage: which paragraphs of a generation are candidates for a query, and their scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opensearch import rows
from opensearch.facts import Found
from opensearch.paging import rows as paged
from opensearch.queries import (
    DOCUMENT_TEXT,
    PARAGRAPH_TEXT,
    Body,
    Terms,
    best,
    clauses,
    compared,
    inner_product,
    nearest,
    scored,
    terms,
)
from opensearch.server import Server
from rostrum.core.errors import StoreError
from rostrum.core.ports import Query
from rostrum.core.types import Candidate, Scores

TOGETHER = 2000
"""Paragraphs scored per search; OpenSearch gives 10,000 rows at most (`index.max_result_window`)."""

ROW = [*rows.PARAGRAPH, "tokens"]
PLACE = ("document_id", "ordinal")
NO_HITS: dict[str, Any] = {"hits": []}


@dataclass(frozen=True, eq=False, slots=True)
class Asked:
    """A query as the cluster is asked it; `vector` is `None` where the dense stage is skipped."""

    paragraphs: Terms
    documents: Terms
    vector: NDArray[np.float32] | None


def candidates(server: Server, found: Found, query: Query) -> list[Candidate]:
    """Every paragraph that a stage contributes, with all the scores it has, by document id and ordinal.

    Each stage contributes its best paragraphs of all and its best of the best documents. Scores are
    computed for the union afterwards, so they do not depend on which stage found a paragraph.

    Raises:
        StoreError: the query's vector is not as wide as the archive's.
    """
    width = found.facts.width
    if width is None:
        return []  # there is no paragraph
    if query.vector is not None and len(query.vector) != width:
        raise StoreError(f"a vector of width {len(query.vector)}, where the archive has {width}")
    asked = Asked(
        terms(server, found.paragraphs, PARAGRAPH_TEXT, query.paragraph_text),
        terms(server, found.documents, DOCUMENT_TEXT, query.document_text),
        query.vector,
    )
    keys = _every(server, found, query) if query.every else _found(server, found, query, asked)
    return sorted(_scored(server, found, asked, keys), key=_place)


def _every(server: Server, found: Found, query: Query) -> list[str]:
    passing = {"bool": {"filter": clauses(query.filter)}}
    hits = paged(server, found.paragraphs, PLACE, source=False, query=passing, page=TOGETHER)
    return [hit["_id"] for hit in hits]


def _found(server: Server, found: Found, query: Query, asked: Asked) -> list[str]:
    """The `_id` of what the stages contribute: their best of all paragraphs, and of the best documents."""
    filter = clauses(query.filter)
    of_all = _stages(found, asked, query.depth, filter)
    documents = _best_documents(found, asked, query.documents, filter)
    *contributed, named = server.searches([*of_all, *documents]) + ([] if documents else [NO_HITS])
    if named["hits"]:
        ids = [hit["_source"]["document_id"] for hit in named["hits"]]
        of_best = _stages(found, asked, query.depth, [{"terms": {"document_id": ids}}])
        contributed += server.searches(of_best)
    return sorted({hit["_id"] for answer in contributed for hit in answer["hits"]})


def _stages(found: Found, asked: Asked, depth: int, filter: Sequence[Body]) -> list[tuple[str, Body]]:
    """The searches of the lexical and the dense stage among what passes a filter."""
    bodies = []
    if asked.paragraphs and depth:
        bodies.append(best(PARAGRAPH_TEXT, asked.paragraphs, depth, filter))
    if asked.vector is not None and depth:
        bodies.append(nearest(asked.vector, depth, filter))
    return [(found.paragraphs, body) for body in bodies]


def _best_documents(found: Found, asked: Asked, limit: int, filter: Sequence[Body]) -> list[tuple[str, Body]]:
    if not asked.documents or not limit:
        return []
    body = best(DOCUMENT_TEXT, asked.documents, limit, filter)
    return [(found.documents, body | {"_source": ["document_id"]})]


def _scored(server: Server, found: Found, asked: Asked, keys: Sequence[str]) -> Iterator[Candidate]:
    for first in range(0, len(keys), TOGETHER):
        some = keys[first : first + TOGETHER]
        owners = sorted({key[: rows.KEY_CHARACTERS] for key in some})
        searches = [
            (found.paragraphs, scored(PARAGRAPH_TEXT, asked.paragraphs, some, ROW)),
            (found.documents, scored(DOCUMENT_TEXT, asked.documents, owners, False)),
        ]
        if asked.vector is not None:
            searches.append((found.paragraphs, compared(asked.vector, some)))
        paragraphs, documents, *compared_with = server.searches(searches)
        dense = {
            hit["_id"]: inner_product(hit["_score"]) for answer in compared_with for hit in answer["hits"]
        }
        of_document = {hit["_id"]: hit["_score"] or None for hit in documents["hits"]}
        for hit in paragraphs["hits"]:
            key = hit["_id"]
            scores = Scores(hit["_score"] or None, of_document[key[: rows.KEY_CHARACTERS]], dense.get(key))
            row = hit["_source"]
            yield Candidate(rows.paragraph(row), rows.tokens(row), scores)


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.paragraph.document_id, candidate.paragraph.ordinal
