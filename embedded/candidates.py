"""Run the first stage: find the candidates of a generation for a query, and score them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from embedded.reader import Reader
from rostrum_core.candidates import Candidates, Floats, make_columns
from rostrum_core.errors import StoreError
from rostrum_core.ports import WORDINGS, Query
from rostrum_core.rarest_words import select_rarest
from rostrum_core.types import Filter

Numbers = NDArray[np.int64]


def read_candidates(reader: Reader, query: Query) -> Candidates:
    """Return every paragraph that a stage contributes, with all its scores, ordered by its number.

    Each stage contributes its best paragraphs of all documents, and its best of the best documents. Scores
    are computed for the union afterwards, so they do not depend on the stage that found a paragraph.

    Raises:
        StoreError: the width of the query's vector differs from the archive's.
    """
    _check_width(reader, query.vector)
    filter = reader.name_speakers(query.filter)
    if filter is None:
        return make_columns([])
    query = replace(query, filter=filter, paragraph_text=_choose_words(reader, query))
    numbers = (
        np.flatnonzero(reader.mask_passing(filter)) if query.every else _find_contributions(reader, query)
    )
    owners, places = np.unique(reader.numbering.map_documents(numbers), return_inverse=True)
    piece_ids, piece_ends, vectors = reader.read_pieces(numbers, with_vectors=query.vector is not None)
    columns = {
        "lexical": np.array(
            reader.paragraphs.score_texts(query.paragraph_text, numbers.tolist()), np.float64
        ),
        "document": _score_documents(reader, query.document_text, owners)[places],
        **_multiply(vectors, query.vector),
    }
    return Candidates(
        [reader.numbering.ids[owner] for owner in owners.tolist()],
        *reader.list_days_and_speakers(owners),
        places,
        reader.numbering.map_ordinals(numbers),
        piece_ids,
        piece_ends,
        lambda rows: reader.read_rows(numbers[list(rows)]),
        columns,
    )


def _choose_words(reader: Reader, query: Query) -> str:
    """Return the words of a query that paragraphs are matched with."""
    if query.rarest is None:
        return query.paragraph_text
    words = query.paragraph_text.split()
    return " ".join(select_rarest(words, reader.paragraphs.document_frequency(words), query.rarest))


def _check_width(reader: Reader, vector: NDArray[np.float32] | None) -> None:
    if vector is not None and reader.dense is not None and len(vector) != reader.dense.width:
        raise StoreError(f"a vector of width {len(vector)}, where the archive has {reader.dense.width}")


def _find_contributions(reader: Reader, query: Query) -> Numbers:
    contributions = [*_search_best(reader, query, query.filter)]
    documents = reader.documents.search_best(query.document_text, query.documents, query.filter)
    if len(documents):
        ids = tuple(reader.numbering.ids[number] for number in documents)
        contributions += _search_best(reader, query, Filter(documents=ids, speakers=query.filter.speakers))
    if query.wording:
        passing = None if query.filter == Filter() else reader.mask_passing(query.filter)
        contributions.append(reader.wording.find_best(query.wording, WORDINGS, passing))
    return np.unique(np.concatenate(contributions))


def _search_best(reader: Reader, query: Query, filter: Filter) -> tuple[Numbers, Numbers]:
    """Return the contributions of the lexical and the dense stage among paragraphs that pass a filter."""
    lexical = reader.paragraphs.search_best(query.paragraph_text, query.depth, filter)
    return lexical, _search_nearest(reader, query, filter)


def _search_nearest(reader: Reader, query: Query, filter: Filter) -> Numbers:
    if query.vector is None or reader.dense is None:
        return np.empty(0, np.int64)
    mask = None if filter == Filter() else reader.mask_passing(filter)
    return reader.dense.search_best(query.vector, query.depth, mask)


def _score_documents(reader: Reader, text: str, owners: Numbers) -> Floats:
    return np.array(reader.documents.score_texts(text, owners.tolist()), np.float64)


def _multiply(vectors: NDArray[np.float32] | None, query: NDArray[np.float32] | None) -> dict[str, Floats]:
    """Return inner products, summed in 64 bits: the same vectors give the same product in any batch."""
    if query is None:
        return {}
    if vectors is None:
        return {"dense": np.empty(0)}
    products = np.einsum("ij,j->i", vectors, query, dtype=np.float64)
    return {"dense": products.astype(np.float32).astype(np.float64)}
