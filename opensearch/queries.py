"""Build OpenSearch searches: clauses for the words of a text and for a filter, and request bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import re2
from numpy.typing import NDArray

from rostrum_core.dates import count_day
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Filter

PARAGRAPH_TEXT = "text"
DOCUMENT_TEXT = "title_speaker_and_text"
SHINGLES = "text.shingles"

MOST_TERMS = 1000
"""Most distinct terms in a search; OpenSearch refuses more than 1,024
(`indices.query.bool.max_clause_count`).
"""

WORD = re2.compile(r"[\p{L}\p{M}\p{N}\p{So}]+")
"""Match at least what the analyser keeps together; the analyser also splits at some symbols, such as
emoji.
"""

PARTING = re2.compile(r"[\p{M}\p{So}]")

PLACE = ("id", "document_id")
"""Fields that identify a paragraph and its document; rows of documents have only the second."""

DAY = "spoken_on"
SPEAKER = "speaker_folded"
"""Field of all speakers of a document or of the speaker of a paragraph, in lower case.

OpenSearch returns its values by alphabet, not as they were written.
"""

Body = dict[str, Any]

COLUMNS: Body = {"_source": False, "stored_fields": "_none_", "docvalue_fields": list(PLACE)}
"""Read only `PLACE`, by columns: this takes 9 ms for 1,000 rows, and 60 ms with their `_id`."""

Words = list[tuple[str, int]]
"""Distinct words of a text as written, with their counts."""


def count_words(text: str) -> Words:
    """Return pairs (word, count) for the words of a text, to pass to `match_any`.

    The words are not stemmed; the index does this.

    If the words have more than `MOST_TERMS` terms, only the most frequent words are kept; of equally frequent
    ones, the first.

    >>> count_words("The moon, the Moon")
    [('the', 2), ('moon', 2)]
    """
    counts = Counter(map(_fold, WORD.findall(escape_surrogates(text))))
    kept, terms = [], 0
    for word, count in counts.most_common():
        parts = 1 + len(PARTING.findall(word))
        if terms + parts <= MOST_TERMS:
            kept.append((word, count))
            terms += parts
    return kept


def _fold(word: str) -> str:
    """Return a word in lower case if it is ASCII; leave the case of other words to the index."""
    return word.lower() if word.isascii() else word


def match_any(field: str, words: Words) -> list[Body]:
    """Return one clause for each word; a row that has the word gets its BM25 score times the count.

    If several words become the same term in the index, Lucene adds up their counts.
    """
    return [{"match": {field: {"query": word, "boost": count}}} for word, count in words]


def search_best(field: str, words: Words, limit: int, filter: Sequence[Body]) -> Body:
    """Return a search for the `limit` rows with the best BM25 scores for some words.

    It returns only the fields `PLACE`, which identify a row. This form of query lets Lucene skip blocks of
    rows that cannot be among the best.
    """
    clauses: Body = {"should": match_any(field, words), "minimum_should_match": 1}
    return _search_places({"bool": clauses | ({"filter": list(filter)} if filter else {})}, limit)


def search_nearest(vector: NDArray[np.float32], limit: int, filter: Sequence[Body]) -> Body:
    """Return a search for the paragraphs that pass a filter and have the vectors nearest to `vector`.

    It returns only the fields `PLACE`, which identify a paragraph.
    """
    clause: Body = {"vector": vector.tolist(), "k": limit}
    if filter:
        clause["filter"] = {"bool": {"filter": list(filter)}}
    return _search_places({"knn": {"embedding": clause}}, limit)


def search_sharing(text: str, limit: int, filter: Sequence[Body]) -> Body:
    """Return a search for the paragraphs that share the most pairs of consecutive words with a text.

    It returns only the fields `PLACE`, which identify a paragraph.
    """
    match = {"match": {SHINGLES: cut_words(escape_surrogates(text))}}
    return _search_places({"bool": {"must": [match], "filter": list(filter)}}, limit)


def cut_words(text: str) -> str:
    """Return the beginning of a text that has at most `LONGEST_WORDS` words, as the analyser splits them.

    >>> cut_words("1,000,000 or " * 200).count("000")
    250
    """
    count = 0
    for match in WORD.finditer(text):
        count += 1 + len(PARTING.findall(match[0]))
        if count > LONGEST_WORDS:
            return text[: match.start()]
    return text


LONGEST_WORDS = 500
"""Most words of a text whose pairs are compared; OpenSearch refuses more than 1,024 clauses."""


def search_passing(limit: int, filter: Sequence[Body]) -> Body:
    """Return a search for any rows that pass a filter, without scores.

    It returns only the fields `PLACE`, which identify a row.
    """
    return _search_places({"bool": {"filter": list(filter)}}, limit)


def count_having(word: str) -> Body:
    """Return a search that counts the paragraphs that have a word.

    For a word of several parts, such as "well-known", count the paragraphs that have all its parts.
    """
    match = {"match": {PARAGRAPH_TEXT: {"query": escape_surrogates(word), "operator": "and"}}}
    return {"size": 0, "query": match, "track_total_hits": True}


def score_rows(field: str, words: Words, key: str, keys: Sequence[str]) -> Body:
    """Return a search that scores chosen rows by BM25 for some words; the score is 0 if no word matches.

    The rows are those whose field `key`, such as "document_id", has one of the values `keys`.
    """
    query = {"bool": {"filter": [{"terms": {key: list(keys)}}], "should": match_any(field, words)}}
    return _search_places(query, len(keys))


def compare_vector(vector: NDArray[np.float32], ids: Sequence[str]) -> Body:
    """Return a search that compares a vector with those of the paragraphs with these ids.

    `convert_score` converts the scores of the search to inner products.
    """
    parameters = {"field": "embedding", "query_value": vector.tolist(), "space_type": "innerproduct"}
    script = {"lang": "knn", "source": "knn_score", "params": parameters}
    among = {"bool": {"filter": [{"terms": {"id": list(ids)}}]}}
    return _search_places({"script_score": {"query": among, "script": script}}, len(ids))


def read_column(hit: Mapping[str, Any], field: str) -> str:
    """Return the value of a hit's field that the search read from column storage (doc values)."""
    value: str = hit["fields"][field][0]
    return value


def find_column(hit: Mapping[str, Any], field: str) -> str | None:
    """Return the value of a field of a hit, as `read_column` does; `None` if the row has no value."""
    return read_column(hit, field) if field in hit["fields"] else None


def convert_score(score: float) -> float:
    """Convert a score of the k-NN plugin, which is positive, back to the inner product.

    Source: k-NN plugin, `SpaceType.INNER_PRODUCT`: p + 1 where p is not negative, else 1 / (1 - p).

    >>> convert_score(1.25), convert_score(0.5)
    (0.25, -1.0)
    """
    return score - 1 if score >= 1 else 1 - 1 / score


def build_clauses(filter: Filter) -> list[Body]:
    """Return the query clauses that select the rows that pass a filter.

    The clauses work in the index of documents and in that of paragraphs. The filter must have the whole names
    of speakers; case is ignored. `OpenSearchStore` completes parts of names.

    Raises:
        BadInput: a date of the filter is invalid.
    """
    names = {
        "document_id": filter.documents,
        "speaker_folded": tuple(speaker.casefold() for speaker in filter.speakers),
        "collection": filter.collections,
        "language": filter.languages,
    }
    clauses = [
        {"terms": {field: [escape_surrogates(value) for value in values]}}
        for field, values in names.items()
        if values
    ]
    return [*clauses, *_match_days(filter)]


def _match_days(filter: Filter) -> Iterator[Body]:
    """Yield the clauses for the dates of a filter.

    All possible days of a speech must be in the range: a speech of "1963" passes only if the range has the
    whole year.
    """
    bounds = (("since", filter.since, "spoken_first", "gte"), ("until", filter.until, "spoken_last", "lte"))
    for field, date, column, limit in bounds:
        if date is not None:
            count_day(date, field)
            yield {"range": {column: {limit: date}}}


def _search_places(query: Body, limit: int) -> Body:
    return {"size": limit, "query": query, "track_total_hits": False, **COLUMNS}
