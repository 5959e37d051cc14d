"""Run the first stage of a search: find the paragraphs that may match a query, and score them.

This takes three requests, each of several searches. The first needs only the query, and also returns word
frequencies. The second uses these frequencies and the best documents. The third computes all scores of
everything found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opensearch.facts import StoredGeneration
from opensearch.infos import Infos
from opensearch.paging import read_rows as paged
from opensearch.queries import (
    DAY,
    DOCUMENT_TEXT,
    PARAGRAPH_TEXT,
    PLACE,
    SPEAKER,
    Body,
    Words,
    build_clauses,
    compare_vector,
    convert_score,
    count_having,
    count_words,
    find_column,
    read_column,
    score_rows,
    search_best,
    search_nearest,
    search_passing,
    search_sharing,
)
from opensearch.rows import unpack_paragraph, unpack_piece_ids
from opensearch.server import Searcher
from rostrum_core.candidates import Candidates, join_ids, make_columns
from rostrum_core.errors import StoreError
from rostrum_core.ports import WORDINGS, Query
from rostrum_core.rarest_words import select_rarest
from rostrum_core.types import DocumentInfo, Filter

TOGETHER = 2000
"""Number of paragraphs scored per search."""

MOST_ROWS = 10_000
"""Most rows that OpenSearch returns per response (`index.max_result_window`), and that are scored per
request: some 25 MB.
"""

STORED = ("lexical", "document", "dense")
"""Signals whose columns a search returns."""

Searches = list[tuple[str, Body]]


@dataclass(frozen=True, eq=False, slots=True)
class ClusterQuery:
    """Hold a query in the form that the cluster needs: words to match with paragraphs and with documents.

    `vector` is `None` if vectors are not searched.
    """

    paragraphs: Words
    documents: Words
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, eq=False, slots=True)
class _FirstResponse:
    """Hold the results of the first request: the ids of the best documents, and hits of paragraphs.

    `wanted` is the query for the later requests. Sometimes only the rarest words of the query are searched in
    paragraphs. The first request finds out which words these are, and `wanted` then has only these words.
    """

    wanted: ClusterQuery
    documents: tuple[str, ...]
    hits: list[Any]


@dataclass(frozen=True, eq=False, slots=True)
class _Row:
    """Hold a paragraph as the cluster returns it; `packed` has its text and tokens as one string.

    `scores` are its BM25 score, the BM25 score of its document, and the inner product of its vector with the
    query's; each is `None` if there is no such score.
    """

    document_id: str
    ordinal: int
    packed: str
    scores: tuple[float | None, float | None, float | None]
    spoken_on: str | None
    speaker: str | None


def read_candidates(server: Searcher, generation: StoredGeneration, query: Query, infos: Infos) -> Candidates:
    """Return the candidates for a query: all paragraphs that at least one search finds.

    BM25 and vectors each search twice: once in all documents, and once in only those documents that match the
    query best. If the query has a `wording`, the paragraphs that share pairs of words with it are found too.
    If `query.every` is true, the candidates are instead all paragraphs that pass the filter. Each candidate
    gets all scores, whichever search found it. The candidates are ordered by document id and ordinal. The
    metadata of their documents is added to `infos`.

    Raises:
        StoreError: the width of the query's vector differs from the archive's.
    """
    width = generation.facts.width
    if width is None:
        return make_columns([])  # the generation has no paragraph
    if query.vector is not None and len(query.vector) != width:
        raise StoreError(f"a vector of width {len(query.vector)}, where the archive has {width}")
    opened = _open(server, generation, query)
    if query.every:
        owners = _map_passing(server, generation, query, opened.hits)
    else:
        owners = _map_owners([*opened.hits, *_follow(server, generation, query, opened)])
    rows = _score(server, generation, opened.wanted, owners, infos)
    in_order = sorted(rows, key=lambda row: (row.document_id, row.ordinal))
    return _gather(in_order, dense=query.vector is not None)


def _open(server: Searcher, generation: StoredGeneration, query: Query) -> _FirstResponse:
    """Send the first of two requests: the searches that need no result of another search.

    If only the rarest words of the query are to be searched, this request counts the paragraphs that have
    each word. The second request then searches for the rarest words.
    """
    filter, listed = build_clauses(query.filter), []
    wanted = ClusterQuery(count_words(query.paragraph_text), count_words(query.document_text), query.vector)
    if query.rarest is not None:
        listed, wanted = query.paragraph_text.split(), replace(wanted, paragraphs=[])
    counting = [(generation.paragraphs, count_having(word)) for word in listed]
    best = [] if query.every else _build_best_documents(generation, query, wanted, filter)
    stages = (
        [(generation.paragraphs, search_passing(MOST_ROWS, filter))]
        if query.every
        else _build_stages(generation, query, wanted.paragraphs, filter)
    )
    answers = iter(server.search_many([*counting, *best, *stages]))
    counts = [answer["total"]["value"] for answer in islice(answers, len(counting))]
    if query.rarest is not None:
        rarest = " ".join(select_rarest(listed, counts, query.rarest))
        wanted = replace(wanted, paragraphs=count_words(rarest))
    documents = [
        read_column(hit, "document_id") for answer in islice(answers, len(best)) for hit in answer["hits"]
    ]
    return _FirstResponse(wanted, tuple(documents), [hit for answer in answers for hit in answer["hits"]])


def _follow(
    server: Searcher, generation: StoredGeneration, query: Query, opened: _FirstResponse
) -> list[Any]:
    """Send the second request of a search, and return the hits of paragraphs.

    It repeats all searches within the best documents, which the first request found. If the first request
    also determined the rarest words of the query, the second searches for these words.
    """
    words, searches = opened.wanted.paragraphs, []
    if query.rarest is not None:
        searches += _build_lexical(generation, query, words, build_clauses(query.filter))
    if opened.documents:
        of_these = Filter(documents=opened.documents, speakers=query.filter.speakers)
        searches += _build_stages(generation, query, words, build_clauses(of_these))
    return [hit for answer in server.search_many(searches) for hit in answer["hits"]]


def _map_passing(
    server: Searcher, generation: StoredGeneration, query: Query, hits: Sequence[Any]
) -> dict[str, str]:
    """Map the id of each paragraph that passes the filter of a query to the id of its document.

    `hits` are the first of these paragraphs. If there may be more, all of them are read from the cluster.
    """
    if len(hits) < MOST_ROWS:
        return _map_owners(hits)
    passing = {"bool": {"filter": build_clauses(query.filter)}}
    return _map_owners(paged(server, generation.paragraphs, PLACE, columns=PLACE, query=passing))


def _map_owners(hits: Iterable[Any]) -> dict[str, str]:
    return {read_column(hit, "id"): read_column(hit, "document_id") for hit in hits}


def _build_best_documents(
    generation: StoredGeneration, query: Query, wanted: ClusterQuery, filter: Sequence[Body]
) -> Searches:
    if not wanted.documents or not query.documents:
        return []
    return [(generation.documents, search_best(DOCUMENT_TEXT, wanted.documents, query.documents, filter))]


def _build_lexical(
    generation: StoredGeneration, query: Query, words: Words, filter: Sequence[Body]
) -> Searches:
    depth = min(query.depth, MOST_ROWS)
    if not words or not depth:
        return []
    return [(generation.paragraphs, search_best(PARAGRAPH_TEXT, words, depth, filter))]


def _build_stages(
    generation: StoredGeneration, query: Query, words: Words, filter: Sequence[Body]
) -> Searches:
    """Return the searches for paragraphs that pass a filter: by words, by vector, and by pairs of words."""
    searches = _build_lexical(generation, query, words, filter)
    if depth := min(query.depth, MOST_ROWS):
        if query.vector is not None:
            searches.append((generation.paragraphs, search_nearest(query.vector, depth, filter)))
        if query.wording:
            searches.append((generation.paragraphs, search_sharing(query.wording, WORDINGS, filter)))
    return searches


def _score(
    server: Searcher,
    generation: StoredGeneration,
    wanted: ClusterQuery,
    owners: Mapping[str, str],
    infos: Infos,
) -> Iterator[_Row]:
    ids = sorted(owners)
    for first in range(0, len(ids), MOST_ROWS):
        names = ids[first : first + MOST_ROWS]
        batches = [names[begin : begin + TOGETHER] for begin in range(0, len(names), TOGETHER)]
        documents = sorted({owners[name] for name in names})
        of_documents, *answers = server.search_many(_build_scores(generation, wanted, batches, documents))
        paragraphs, dense = answers[: len(batches)], answers[len(batches) :]
        about = {read_column(hit, "document_id"): hit for hit in of_documents["hits"]}
        packed = (
            {name: read_column(hit, "info") for name, hit in about.items()}
            if generation.facts.has_info
            else {}
        )
        of_these = infos.keep(generation, packed.items())
        speakers = {name: _read_speaker(hit, of_these.get(name)) for name, hit in about.items()}
        products = {
            read_column(hit, "id"): convert_score(hit["_score"]) for hits in dense for hit in hits["hits"]
        }
        yield from (_read_row(hit, about, speakers, products) for hits in paragraphs for hit in hits["hits"])


def _read_speaker(hit: Any, info: DocumentInfo | None) -> str | None:
    """Return the speaker of a document from its metadata `info`, or from its search hit if there is none.

    Generations that an earlier version of Rostrum wrote lack this metadata. A hit has the names of the
    speakers in lower case; the first one by alphabet is returned.
    """
    return find_column(hit, SPEAKER) if info is None else info.speaker


def _read_row(
    hit: Any, about: Mapping[str, Any], speakers: Mapping[str, str | None], products: Mapping[str, float]
) -> _Row:
    """Build a row from the hit of a paragraph, the hit of its document and the inner product of its vector.

    `about` maps document ids to the hits of documents, `speakers` maps them to the speakers. `products` maps
    paragraph ids to the inner products.
    """
    name = read_column(hit, "document_id")
    document = about[name]
    scores = hit["_score"] or None, document["_score"] or None, products.get(read_column(hit, "id"))
    place = name, int(read_column(hit, "ordinal")), read_column(hit, "packed")
    return _Row(*place, scores, find_column(document, DAY), speakers[name])


def _gather(rows: Sequence[_Row], *, dense: bool) -> Candidates:
    """Convert rows, ordered by document id and ordinal, to columns of candidates.

    A paragraph is unpacked only when it is read.
    """
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
    generation: StoredGeneration,
    wanted: ClusterQuery,
    batches: Sequence[Sequence[str]],
    documents: Sequence[str],
) -> Searches:
    """Return the searches that score the candidates and their documents.

    The first search scores the documents by BM25. Then a search for each batch scores paragraphs by BM25. If
    the query has a vector, another search for each batch compares vectors.
    """
    of_documents = score_rows(DOCUMENT_TEXT, wanted.documents, "document_id", documents)
    about = ["document_id", DAY, SPEAKER, *(["info"] if generation.facts.has_info else [])]
    searches = [(generation.documents, of_documents | {"docvalue_fields": about})]
    for batch in batches:
        lexical = score_rows(PARAGRAPH_TEXT, wanted.paragraphs, "id", batch)
        columns = {"docvalue_fields": [*PLACE, "ordinal", "packed"]}
        searches.append((generation.paragraphs, lexical | columns))
    if wanted.vector is not None:
        vector = wanted.vector
        searches += [(generation.paragraphs, compare_vector(vector, batch)) for batch in batches]
    return searches
