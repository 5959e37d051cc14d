"""The first stage: which paragraphs of a generation are candidates for a query, and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opensearch import rows
from opensearch.facts import Found
from opensearch.paging import rows as paged
from opensearch.queries import (
    DAY,
    DOCUMENT_TEXT,
    PARAGRAPH_TEXT,
    PLACE,
    Body,
    Terms,
    best,
    clauses,
    column,
    column_if_any,
    compared,
    inner_product,
    nearest,
    scored,
    terms,
)
from opensearch.server import Server
from rostrum_core.errors import StoreError
from rostrum_core.ports import Query
from rostrum_core.types import Candidate, Filter, Scores

TOGETHER = 2000
"""Paragraphs scored per search."""

MOST_ROWS = 10_000
"""That OpenSearch gives in one answer (`index.max_result_window`)."""


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
    owners = _every(server, found, query) if query.every else _found(server, found, query, asked)
    return sorted(_scored(server, found, asked, owners), key=_place)


def _every(server: Server, found: Found, query: Query) -> dict[str, str]:
    """Document id by paragraph id of all paragraphs that pass the filter."""
    passing = {"bool": {"filter": clauses(query.filter)}}
    return _owners(paged(server, found.paragraphs, PLACE, columns=PLACE, query=passing))


def _found(server: Server, found: Found, query: Query, asked: Asked) -> dict[str, str]:
    """Document id by paragraph id of what the stages contribute: of all paragraphs, of the best documents."""
    filter, depth = clauses(query.filter), min(query.depth, MOST_ROWS)
    of_all = _stages(found, asked, depth, filter)
    answers = server.searches([*of_all, *_best_documents(found, asked, query.documents, filter)])
    contributed, named = answers[: len(of_all)], answers[len(of_all) :]
    ids = [column(hit, "document_id") for answer in named for hit in answer["hits"]]
    if ids:
        of_these = Filter(documents=tuple(ids), speakers=query.filter.speakers)
        of_best = _stages(found, asked, depth, clauses(of_these))
        contributed += server.searches(of_best)
    return _owners(hit for answer in contributed for hit in answer["hits"])


def _owners(hits: Iterable[Any]) -> dict[str, str]:
    return {column(hit, "id"): column(hit, "document_id") for hit in hits}


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
    return [(found.documents, best(DOCUMENT_TEXT, asked.documents, limit, filter))]


def _scored(server: Server, found: Found, asked: Asked, owners: Mapping[str, str]) -> Iterator[Candidate]:
    ids = sorted(owners)
    for first in range(0, len(ids), TOGETHER):
        some = ids[first : first + TOGETHER]
        documents = sorted({owners[each] for each in some})
        paragraphs, of_documents, *dense = server.searches(_scores(found, asked, some, documents))
        document = {column(hit, "document_id"): hit["_score"] or None for hit in of_documents["hits"]}
        days = {column(hit, "document_id"): column_if_any(hit, DAY) for hit in of_documents["hits"]}
        products = {column(hit, "id"): inner_product(hit["_score"]) for each in dense for hit in each["hits"]}
        for hit in paragraphs["hits"]:
            paragraph, tokens = rows.paragraph(column(hit, "packed"))
            owner = paragraph.document_id
            scores = Scores(hit["_score"] or None, document[owner], products.get(paragraph.id))
            yield Candidate(paragraph, tokens, scores, days[owner])


def _scores(
    found: Found, asked: Asked, paragraphs: Sequence[str], documents: Sequence[str]
) -> list[tuple[str, Body]]:
    """The searches for all scores of paragraphs and of the documents they belong to."""
    lexical = scored(PARAGRAPH_TEXT, asked.paragraphs, "id", paragraphs)
    of_documents = scored(DOCUMENT_TEXT, asked.documents, "document_id", documents)
    searches = [
        (found.paragraphs, lexical | {"docvalue_fields": ["packed"]}),
        (found.documents, of_documents | {"docvalue_fields": ["document_id", DAY]}),
    ]
    if asked.vector is not None:
        searches.append((found.paragraphs, compared(asked.vector, paragraphs)))
    return searches


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.paragraph.document_id, candidate.paragraph.ordinal
