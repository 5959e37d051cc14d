"""Run the first stage: find the candidates of a generation for a query, and score them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opensearch.facts import StoredGeneration
from opensearch.paging import read_rows as paged
from opensearch.queries import (
    DAY,
    DOCUMENT_TEXT,
    PARAGRAPH_TEXT,
    PLACE,
    SPEAKER,
    Body,
    Terms,
    analyse,
    build_clauses,
    compare_vector,
    convert_score,
    find_column,
    read_column,
    score_rows,
    search_best,
    search_nearest,
    search_sharing,
)
from opensearch.rows import unpack_paragraph, unpack_piece_ids
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


def read_candidates(server: Server, generation: StoredGeneration, query: Query) -> Candidates:
    """Return every paragraph that a stage contributes, in order, with all its scores.

    Each stage contributes its best paragraphs of all documents, and its best of the best documents. Scores
    are computed for the union afterwards, so they do not depend on the stage that found a paragraph.

    Raises:
        StoreError: the width of the query's vector differs from the archive's.
    """
    width = generation.facts.width
    if width is None:
        return make_columns([])  # the generation has no paragraph
    if query.vector is not None and len(query.vector) != width:
        raise StoreError(f"a vector of width {len(query.vector)}, where the archive has {width}")
    texts = (query.paragraph_text, query.document_text)
    of_paragraphs, of_documents = analyse(server, generation.paragraphs, PARAGRAPH_TEXT, texts)
    wanted = Asked(of_paragraphs, of_documents, query.vector, query.wording)
    owners = (
        _list_all(server, generation, query)
        if query.every
        else _find_contributions(server, generation, query, wanted)
    )
    rows = sorted(_score(server, generation, wanted, owners), key=lambda row: (row.document_id, row.ordinal))
    return _gather(rows, dense=query.vector is not None)


def _list_all(server: Server, generation: StoredGeneration, query: Query) -> dict[str, str]:
    """Return the document id by paragraph id of all paragraphs that pass the filter."""
    passing = {"bool": {"filter": build_clauses(query.filter)}}
    return _map_owners(paged(server, generation.paragraphs, PLACE, columns=PLACE, query=passing))


def _find_contributions(
    server: Server, generation: StoredGeneration, query: Query, wanted: Asked
) -> dict[str, str]:
    """Return the contributions of all stages: document id by paragraph id."""
    filter, depth = build_clauses(query.filter), min(query.depth, MOST_ROWS)
    of_all = _build_stages(generation, wanted, depth, filter)
    answers = server.search_many(
        [*of_all, *_build_best_documents(generation, wanted, query.documents, filter)]
    )
    contributed, named = answers[: len(of_all)], answers[len(of_all) :]
    ids = [read_column(hit, "document_id") for answer in named for hit in answer["hits"]]
    if ids:
        of_these = Filter(documents=tuple(ids), speakers=query.filter.speakers)
        of_best = _build_stages(generation, wanted, depth, build_clauses(of_these))
        contributed += server.search_many(of_best)
    return _map_owners(hit for answer in contributed for hit in answer["hits"])


def _map_owners(hits: Iterable[Any]) -> dict[str, str]:
    return {read_column(hit, "id"): read_column(hit, "document_id") for hit in hits}


def _build_stages(
    generation: StoredGeneration, wanted: Asked, depth: int, filter: Sequence[Body]
) -> list[tuple[str, Body]]:
    """Return the searches of the lexical and the dense stage over the rows that pass a filter."""
    bodies = []
    if wanted.paragraphs and depth:
        bodies.append(search_best(PARAGRAPH_TEXT, wanted.paragraphs, depth, filter))
    if wanted.vector is not None and depth:
        bodies.append(search_nearest(wanted.vector, depth, filter))
    if wanted.wording and depth:
        bodies.append(search_sharing(wanted.wording, WORDINGS, filter))
    return [(generation.paragraphs, body) for body in bodies]


def _build_best_documents(
    generation: StoredGeneration, wanted: Asked, limit: int, filter: Sequence[Body]
) -> list[tuple[str, Body]]:
    if not wanted.documents or not limit:
        return []
    return [(generation.documents, search_best(DOCUMENT_TEXT, wanted.documents, limit, filter))]


def _score(
    server: Server, generation: StoredGeneration, wanted: Asked, owners: Mapping[str, str]
) -> Iterator[_Row]:
    ids = sorted(owners)
    for first in range(0, len(ids), TOGETHER):
        batch = ids[first : first + TOGETHER]
        documents = sorted({owners[name] for name in batch})
        paragraphs, of_documents, *dense = server.search_many(
            _build_scores(generation, wanted, batch, documents)
        )
        document = {read_column(hit, "document_id"): hit["_score"] or None for hit in of_documents["hits"]}
        days = {read_column(hit, "document_id"): find_column(hit, DAY) for hit in of_documents["hits"]}
        speakers = {
            read_column(hit, "document_id"): find_column(hit, SPEAKER) for hit in of_documents["hits"]
        }
        products = {
            read_column(hit, "id"): convert_score(hit["_score"]) for hits in dense for hit in hits["hits"]
        }
        for hit in paragraphs["hits"]:
            name, owner = read_column(hit, "id"), read_column(hit, "document_id")
            scores = (hit["_score"] or None, document[owner], products.get(name))
            place = owner, int(read_column(hit, "ordinal")), read_column(hit, "packed")
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
        lambda wanted: [unpack_paragraph(rows[i].packed) for i in wanted],
        {name: scores[:, i] for i, name in enumerate(STORED[: 2 + dense])},
    )


def _build_scores(
    generation: StoredGeneration, wanted: Asked, paragraphs: Sequence[str], documents: Sequence[str]
) -> list[tuple[str, Body]]:
    """Return the searches for all scores of paragraphs and of their documents."""
    lexical = score_rows(PARAGRAPH_TEXT, wanted.paragraphs, "id", paragraphs)
    of_documents = score_rows(DOCUMENT_TEXT, wanted.documents, "document_id", documents)
    searches = [
        (generation.paragraphs, lexical | {"docvalue_fields": [*PLACE, "ordinal", "packed"]}),
        (generation.documents, of_documents | {"docvalue_fields": ["document_id", DAY, SPEAKER]}),
    ]
    if wanted.vector is not None:
        searches.append((generation.paragraphs, compare_vector(wanted.vector, paragraphs)))
    return searches
