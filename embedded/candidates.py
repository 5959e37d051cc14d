"""Run the first stage of a search: find the paragraphs that may match a query, and score them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from embedded.ragged import Ragged
from embedded.reader import Reader
from rostrum_core.candidates import Candidates, Floats, ReadWords, make_columns
from rostrum_core.errors import StoreError
from rostrum_core.ports import WORDINGS, Query
from rostrum_core.rarest_words import select_rarest
from rostrum_core.types import Filter
from rostrum_core.word_rows import WordRows

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]

SCORED_TOGETHER = 20_000
"""Number of documents up to which all are scored by one search, where it would take two to find the best
ones and to score the candidates' ones: 1 ms at 3,000 documents.
"""


def read_candidates(reader: Reader, query: Query) -> Candidates:
    """Return the candidates for a query: all paragraphs that any of the searches finds, with all their
    scores.

    BM25 and vectors each search twice: once in all documents, and once in only those documents that match the
    query best. If the query has a `wording`, the paragraphs that share runs of words with it are found too.
    If `query.every` is true, the candidates are instead all paragraphs that pass the filter. Each candidate
    gets all scores, whichever search found it. The candidates are ordered by paragraph number.

    Raises:
        StoreError: the width of the query's vector differs from the archive's.
    """
    _check_width(reader, query.vector)
    filter = reader.name_speakers(query.filter)
    if filter is None:
        return make_columns([])
    query = replace(query, filter=filter, paragraph_text=_choose_words(reader, query))
    of_documents = _score_documents(reader, query.document_text)
    numbers = (
        np.flatnonzero(reader.mask_passing(filter))
        if query.every
        else _find_contributions(reader, query, of_documents)
    )
    owners, places = _number_runs(reader.numbering.map_documents(numbers))
    piece_ids, piece_ends, vectors = reader.read_pieces(numbers, with_vectors=query.vector is not None)
    columns = {
        "lexical": reader.score_paragraphs(query.paragraph_text, numbers),
        "document": _score_owners(reader, query.document_text, owners, of_documents)[places],
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
        words=_list_words(reader, numbers),
    )


def _number_runs(ascending: Numbers) -> tuple[Numbers, Numbers]:
    """Return (values, places): the distinct values of an ascending array, and each element's index in
    `values`.

    >>> [array.tolist() for array in _number_runs(np.array([3, 3, 8]))]
    [[3, 8], [0, 0, 1]]
    """
    is_new = np.diff(ascending, prepend=-1) > 0
    return ascending[is_new], np.cumsum(is_new) - 1


def _list_words(reader: Reader, numbers: Numbers) -> dict[str, ReadWords]:
    """Return, for each kind of word such as "stems", a function that reads the stored words of candidates.

    `numbers` are the paragraph numbers of the candidates. A function takes indices into `numbers`, and
    returns the words of these paragraphs.
    """
    if reader.columns is None:
        return {}
    return {name: partial(_read_words, kept, numbers) for name, kept in reader.columns.words.items()}


def _read_words(kept: Ragged, numbers: Numbers, rows: Sequence[int]) -> WordRows:
    return WordRows(*kept.take(numbers[list(rows)]))


def _choose_words(reader: Reader, query: Query) -> str:
    """Return the words of a query that are matched with paragraphs.

    These are all words if `query.rarest` is `None`. Otherwise, `query.rarest` is a number: only that many
    words are returned, those that the fewest paragraphs have.
    """
    if query.rarest is None:
        return query.paragraph_text
    words = query.paragraph_text.split()
    return " ".join(select_rarest(words, reader.paragraphs.document_frequency(words), query.rarest))


def _check_width(reader: Reader, vector: NDArray[np.float32] | None) -> None:
    if vector is not None and reader.dense is not None and len(vector) != reader.dense.width:
        raise StoreError(f"a vector of width {len(vector)}, where the archive has {reader.dense.width}")


def _score_documents(reader: Reader, text: str) -> Floats | None:
    """Return the BM25 scores of all documents for `text`, by document number.

    Return `None` if there are more than `SCORED_TOGETHER` documents. It is then faster to score only some of
    them when their scores are needed.
    """
    return reader.documents.score_all(text) if len(reader.documents) <= SCORED_TOGETHER else None


def _score_owners(reader: Reader, text: str, owners: Numbers, of_documents: Floats | None) -> Floats:
    """Return the BM25 scores, for the query `text`, of the documents with the numbers `owners`.

    `of_documents` has the scores of all documents, as `_score_documents` returns them. If it is `None`, the
    scores are computed now.
    """
    if of_documents is not None:
        return of_documents[owners]
    return np.array(reader.documents.score_texts(text, owners.tolist()), np.float64)


def _find_contributions(reader: Reader, query: Query, of_documents: Floats | None) -> Numbers:
    """Search by words, vectors and runs of words; return the numbers of the found paragraphs, ascending.

    A second thread searches vectors while this one searches words: both libraries release Python's global
    lock while they compute.
    """
    passing = None if query.filter == Filter() else reader.mask_passing(query.filter)
    nearest = _start_nearest(reader, query, passing)
    others = [reader.paragraphs.search_best(query.paragraph_text, query.depth, query.filter)]
    documents = _find_documents(reader, query, of_documents)
    if len(documents):
        ids = tuple(reader.numbering.ids[number] for number in documents)
        inner = Filter(documents=ids, speakers=query.filter.speakers)
        within = reader.mask_passing(inner) if inner.speakers else reader.numbering.mask(documents)
        nearest += _start_nearest(reader, query, within)
        others.append(reader.paragraphs.search_best(query.paragraph_text, query.depth, inner))
    if query.wording:
        documents_of = reader.numbering.map_documents
        others.append(reader.wording.find_best(query.wording, WORDINGS, passing, documents_of))
    is_found = np.zeros(reader.numbering.paragraphs, np.bool_)
    for numbers in (*others, *(future.result() for future in nearest)):
        is_found[numbers] = True
    return np.flatnonzero(is_found)


def _start_nearest(reader: Reader, query: Query, passing: Mask | None) -> list[Future[Numbers]]:
    """Start a search for the paragraphs with the nearest vectors in another thread; return its future in a
    list.

    The list is empty if the query or the archive has no vectors. `passing` is the mask of the paragraphs that
    may be found; `None` if all may.
    """
    if query.vector is None or reader.dense is None:
        return []
    return [reader.threads.submit(reader.search_nearest, query.vector, query.depth, passing)]


def _find_documents(reader: Reader, query: Query, of_documents: Floats | None) -> Numbers:
    """Return the numbers of the documents that match a query best and pass its filter.

    The best document comes first; documents with equal scores are ordered by number.
    """
    if of_documents is None:
        return reader.documents.search_best(query.document_text, query.documents, query.filter)
    matching = np.flatnonzero(~np.isnan(of_documents))
    if query.filter != Filter():
        matching = np.intersect1d(matching, reader.documents.list_passing(query.filter))
    return matching[np.argsort(-of_documents[matching], kind="stable")[: query.documents]]


def _multiply(vectors: NDArray[np.float32] | None, query: NDArray[np.float32] | None) -> dict[str, Floats]:
    """Return the inner products of paragraphs' vectors with a query's vector, as a column named "dense".

    There is no column if the query has no vector. Products are summed in 64 bits, so that they do not depend
    on the batch.
    """
    if query is None:
        return {}
    if vectors is None:
        return {"dense": np.empty(0)}
    products = np.einsum("ij,j->i", vectors, query, dtype=np.float64)
    return {"dense": products.astype(np.float32).astype(np.float64)}
