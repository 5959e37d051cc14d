"""Add filters to tantivy queries, so that only texts of certain speakers, dates or documents match."""

from __future__ import annotations

from typing import Any

import tantivy

from rostrum_core.dates import count_day
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Filter

FIELDS = ("document", "speaker", "collection", "language")
"""Fields that are compared as whole values."""

PERIOD = ("spoken_first", "spoken_last")
"""Fields with the first and the last possible day of the speech, which differ if only a month or year is
known.
"""


def restrict_query(schema: tantivy.Schema, query: Any, filter: Filter) -> Any:
    """Restrict a tantivy query to texts that pass a filter; the scores of these texts stay the same.

    Names of speakers must be whole; case is ignored. `Reader.name_speakers` completes parts of names.

    Raises:
        BadInput: a date of the filter is invalid.
    """
    wanted = zip(
        FIELDS, (filter.documents, _fold_names(filter), filter.collections, filter.languages), strict=True
    )
    clauses = [_match_one(schema, field, values) for field, values in wanted if values]
    clauses += _match_days(schema, filter)
    return require_all(query, *clauses) if clauses else query


def require_all(query: Any, *clauses: Any) -> Any:
    """Return a query for texts that match `query` and all clauses; only `query` determines the scores."""
    silent = [tantivy.Query.const_score_query(clause, 0.0) for clause in clauses]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, part) for part in (query, *silent)])


def _fold_names(filter: Filter) -> tuple[str, ...]:
    return tuple(speaker.casefold() for speaker in filter.speakers)


def _match_one(schema: tantivy.Schema, field: str, values: tuple[str, ...]) -> Any:
    return tantivy.Query.term_set_query(schema, field, [escape_surrogates(value) for value in values])


def _match_days(schema: tantivy.Schema, filter: Filter) -> list[Any]:
    """Return the clauses for the dates of a filter.

    All possible days of a speech must be in the range: a speech of "1963" passes only if the range has the
    whole year.
    """
    first, last = PERIOD
    clauses = []
    if filter.since is not None:
        since = count_day(filter.since, "since")
        clauses.append(tantivy.Query.range_query(schema, first, tantivy.FieldType.Unsigned, since, None))
    if filter.until is not None:
        until = count_day(filter.until, "until")
        clauses.append(tantivy.Query.range_query(schema, last, tantivy.FieldType.Unsigned, None, until))
    return clauses
