"""Filters inside tantivy queries: the fields they ask for, and the clauses they become."""

from __future__ import annotations

from typing import Any

import tantivy

from rostrum_core.dates import day
from rostrum_core.packing import printable
from rostrum_core.types import Filter

FIELDS = ("document", "speaker", "collection", "language")
"""Fields that are compared whole; `spoken_on`, a day number, is the fifth."""


def restricted(schema: tantivy.Schema, query: Any, filter: Filter) -> Any:
    """The query, finding only what passes the filter, with the scores it had.

    Speakers are compared whole here, without regard to case: `Reader.named` completes parts of names.

    Raises:
        BadInput: a date of the filter is none.
    """
    asked = zip(
        FIELDS, (filter.documents, _folded(filter), filter.collections, filter.languages), strict=True
    )
    clauses = [_one_of(schema, field, values) for field, values in asked if values]
    if filter.since is not None or filter.until is not None:
        clauses.append(_between(schema, filter))
    return both(query, *clauses) if clauses else query


def both(query: Any, *clauses: Any) -> Any:
    """What matches the query and all clauses, scored by the query alone."""
    silent = [tantivy.Query.const_score_query(clause, 0.0) for clause in clauses]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, part) for part in (query, *silent)])


def _folded(filter: Filter) -> tuple[str, ...]:
    return tuple(speaker.casefold() for speaker in filter.speakers)


def _one_of(schema: tantivy.Schema, field: str, values: tuple[str, ...]) -> Any:
    return tantivy.Query.term_set_query(schema, field, [printable(value) for value in values])


def _between(schema: tantivy.Schema, filter: Filter) -> Any:
    first = None if filter.since is None else day(filter.since, "since")
    last = None if filter.until is None else day(filter.until, "until")
    return tantivy.Query.range_query(schema, "spoken_on", tantivy.FieldType.Unsigned, first, last)
