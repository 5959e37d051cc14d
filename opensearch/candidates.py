"""Run the first stage: find the candidates of a generation for a query, and score them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opensearch.facts import Found
from opensearch.paging import rows as paged
from opensearch.queries import (
    DAY,
    DOCUMENT_TEXT,
    PARAGRAPH_TEXT,
    PLACE,
    SPEAKER,
    Body,
    Terms,
    analyze,
    best,
    clauses,
    column,
    column_if_any,
    compared,
    inner_product,
    nearest,
    scored,
    sharing,
)
from opensearch.rows import paragraph, unpack_piece_ids
from opensearch.server import Server
from rostrum_core.candidates import Candidates, join_ids, make_columns
from rostrum_core.errors import StoreError
from rostrum_core.ports import WORDINGS, Query
from rostrum_core.types import Filter

TOGETHER = 2000
"""Paragraphs scored per search."""

MOST_ROWS = 10_000
"""Rows that OpenSearch returns per response at most (`index.max_result_window`)."""


STORED = ("lexical", "document", "dense")
"""Signals whose columns a search fills."""


@dataclass(frozen=True, eq=False, slots=True)
class Asked:
    """Hold a query in the terms of the cluster; `vector` is `None` if the dense stage is skipped."""

    paragraphs: Terms
    documents: Terms
    vector: NDArray[np.float32] | None
    wording: str


@dataclass(frozen=True, eq=False, slots=True)
class _Row:
    """Hold a paragraph as the cluster returns it, with its `scores` by the signals in `STORED`."""

    document_id: str
    ordinal: int
    packed: str
    scores: tuple[float | None, float | None, float | None]
    spoken_on: str | None
    speaker: str | None


def candidates(server: Server, found: Found, query: Query) -> Candidates:
    """Return every paragraph that a stage contributes, in order, with all its scores.

    Each stage contributes its best paragraphs of all documents, and its best of the best documents. Scores
    are computed for the union afterwards, so they do not depend on the stage that found a paragraph.

    Raises:
        StoreError: the width of the query's vector differs from the archive's.
    """
    width = found.facts.width
    if width is None:
        return make_columns([])  # the generation has no paragraph
    if query.vector is not None and len(query.vector) != width:
        raise StoreError(f"a vector of width {len(query.vector)}, where the archive has {width}")
    texts = (query.paragraph_text, query.document_text)
    of_paragraphs, of_documents = analyze(server, found.paragraphs, PARAGRAPH_TEXT, texts)
    asked = Asked(of_paragraphs, of_documents, query.vector, query.wording)
    owners = _every(server, found, query) if query.every else _found(server, found, query, asked)
    rows = sorted(_score(server, found, asked, owners), key=lambda row: (row.document_id, row.ordinal))
    return _gather(rows, dense=query.vector is not None)


def _every(server: Server, found: Found, query: Query) -> dict[str, str]:
    """Return the document id by paragraph id of all paragraphs that pass the filter."""
    passing = {"bool": {"filter": clauses(query.filter)}}
    return _owners(paged(server, found.paragraphs, PLACE, columns=PLACE, query=passing))


def _found(server: Server, found: Found, query: Query, asked: Asked) -> dict[str, str]:
    """Return the contributions of all stages: document id by paragraph id."""
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
    """Return the searches of the lexical and the dense stage over the rows that pass a filter."""
    bodies = []
    if asked.paragraphs and depth:
        bodies.append(best(PARAGRAPH_TEXT, asked.paragraphs, depth, filter))
    if asked.vector is not None and depth:
        bodies.append(nearest(asked.vector, depth, filter))
    if asked.wording and depth:
        bodies.append(sharing(asked.wording, WORDINGS, filter))
    return [(found.paragraphs, body) for body in bodies]


def _best_documents(found: Found, asked: Asked, limit: int, filter: Sequence[Body]) -> list[tuple[str, Body]]:
    if not asked.documents or not limit:
        return []
    return [(found.documents, best(DOCUMENT_TEXT, asked.documents, limit, filter))]


def _score(server: Server, found: Found, asked: Asked, owners: Mapping[str, str]) -> Iterator[_Row]:
    ids = sorted(owners)
    for first in range(0, len(ids), TOGETHER):
        some = ids[first : first + TOGETHER]
        documents = sorted({owners[name] for name in some})
        paragraphs, of_documents, *dense = server.searches(_scores(found, asked, some, documents))
        document = {column(hit, "document_id"): hit["_score"] or None for hit in of_documents["hits"]}
        days = {column(hit, "document_id"): column_if_any(hit, DAY) for hit in of_documents["hits"]}
        speakers = {column(hit, "document_id"): column_if_any(hit, SPEAKER) for hit in of_documents["hits"]}
        products = {column(hit, "id"): inner_product(hit["_score"]) for hits in dense for hit in hits["hits"]}
        for hit in paragraphs["hits"]:
            name, owner = column(hit, "id"), column(hit, "document_id")
            scores = (hit["_score"] or None, document[owner], products.get(name))
            place = owner, int(column(hit, "ordinal")), column(hit, "packed")
            yield _Row(*place, scores, days[owner], speakers[owner])


def _gather(rows: Sequence[_Row], *, dense: bool) -> Candidates:
    """Return rows as columns, ordered by document and ordinal; unpack a paragraph only when it is read."""
    days = {row.document_id: row.spoken_on for row in rows}
    speakers = {row.document_id: row.speaker for row in rows}
    places = {name: place for place, name in enumerate(days)}
    piece_ids, piece_ends = join_ids([unpack_piece_ids(row.packed) for row in rows])
    scores = np.array([row.scores for row in rows], np.float64).reshape(-1, 3)
    return Candidates(
        list(days),
        list(days.values()),
        [speakers[name] for name in days],
        np.array([places[row.document_id] for row in rows], np.int64),
        np.array([row.ordinal for row in rows], np.int64),
        piece_ids,
        piece_ends,
        lambda wanted: [paragraph(rows[i].packed) for i in wanted],
        {name: scores[:, i] for i, name in enumerate(STORED[: 2 + dense])},
    )


def _scores(
    found: Found, asked: Asked, paragraphs: Sequence[str], documents: Sequence[str]
) -> list[tuple[str, Body]]:
    """Return the searches for all scores of paragraphs and of their documents."""
    lexical = scored(PARAGRAPH_TEXT, asked.paragraphs, "id", paragraphs)
    of_documents = scored(DOCUMENT_TEXT, asked.documents, "document_id", documents)
    searches = [
        (found.paragraphs, lexical | {"docvalue_fields": [*PLACE, "ordinal", "packed"]}),
        (found.documents, of_documents | {"docvalue_fields": ["document_id", DAY, SPEAKER]}),
    ]
    if asked.vector is not None:
        searches.append((found.paragraphs, compared(asked.vector, paragraphs)))
    return searches
