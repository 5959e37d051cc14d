"""All rows of a search, however many, as they were when it began."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from opensearch.failures import Incomplete, whole
from opensearch.server import Server
from rostrum_core.deadline import use_own_time
from rostrum_core.errors import StoreError

PAGE = 1000
"""Rows per request; a page of documents with their texts is some 10 MB."""

KEEP_ALIVE = "5m"

GIVEN_BACK_S = 1.0
"""For a point in time that is not needed any more; a node has places for 300."""

BEGINNINGS = 3
"""Points in time that are tried, where nodes leave."""

Pages = Generator[list[Any]]


def rows(
    server: Server,
    index: str,
    sort: Sequence[str],
    *,
    source: Sequence[str] = (),
    columns: Sequence[str] = (),
    query: Mapping[str, Any] | None = None,
) -> Iterator[Any]:
    """Every hit of a query (of all rows, if none is given), in ascending order of fields that tell all apart.

    `source` are fields of the rows as they were sent. `columns` are keywords in place of them, read where the
    values of all rows lie together, which is quicker (`queries.column`).

    Raises:
        NotFound, StoreError: the index is not there, or cannot be read.
        Incomplete: shards did not answer, and some rows were given already, or it was tried often enough.
    """
    body: dict[str, Any] = {
        "size": PAGE,
        "sort": [{field: "asc"} for field in sort],
        "query": query or {"match_all": {}},
        "track_total_hits": False,
        "_source": list(source) or False,
    }
    if columns:
        body |= {"docvalue_fields": list(columns), "stored_fields": "_none_"}
    pages, first = _begun(server, index, body)
    with closing(pages):
        yield from first
        for page in pages:
            yield from page


def _begun(server: Server, index: str, body: Mapping[str, Any]) -> tuple[Pages, list[Any]]:
    """The pages after the first, and the first: until it is there, a lost node can be made good."""
    for _ in range(BEGINNINGS - 1):
        pages = _pages(server, index, body)
        with suppress(Incomplete):
            return pages, next(pages)
    pages = _pages(server, index, body)
    return pages, next(pages)


def _pages(server: Server, index: str, body: Mapping[str, Any]) -> Pages:
    """Pages of one point in time, which is over when a node with a part of it leaves; the last is short."""
    pit_id = server.call("POST", f"/{index}/_search/point_in_time", keep_alive=KEEP_ALIVE)["pit_id"]
    asked = {**body, "pit": {"id": pit_id, "keep_alive": KEEP_ALIVE}}
    try:
        while len(page := whole(server.call("POST", "/_search", asked))["hits"]["hits"]) == PAGE:
            yield page
            asked["search_after"] = page[-1]["sort"]
        yield page
    finally:
        with suppress(StoreError), use_own_time(GIVEN_BACK_S):  # it ends by itself, after minutes
            server.call("DELETE", "/_search/point_in_time", {"pit_id": [pit_id]})
