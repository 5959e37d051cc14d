"""Read all rows of a search page by page, from one point in time (a fixed view of an index)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from opensearch.failures import Incomplete, require_whole
from opensearch.server import Searcher
from rostrum_core.deadline import use_own_time
from rostrum_core.errors import StoreError

PAGE = 1000
"""Number of rows per request; a page of documents with their texts is some 10 MB."""

KEEP_ALIVE = "5m"

GIVEN_BACK_S = 1.0
"""Seconds to close a point in time that is no longer needed; a node has room for 300 of them."""

BEGINNINGS = 3
"""Number of points in time to try if nodes leave."""

Pages = Generator[list[Any]]


def read_rows(
    server: Searcher,
    index: str,
    sort: Sequence[str],
    *,
    source: Sequence[str] = (),
    columns: Sequence[str] = (),
    query: Mapping[str, Any] | None = None,
) -> Iterator[Any]:
    """Yield every hit of a query (default: all rows), sorted by the fields `sort`.

    No two rows may have the same values in all of these fields. `source` are the fields of the stored rows to
    return. `columns` are keyword fields to return instead. They are read by columns, which is faster (see
    `queries.read_column`).

    Raises:
        NotFound, StoreError: the index does not exist, or cannot be read.
        Incomplete: shards did not answer, and some rows were yielded already or the retries are used up.
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
    pages, first = _begin(server, index, body)
    with closing(pages):
        yield from first
        for page in pages:
            yield from page


def _begin(server: Searcher, index: str, body: Mapping[str, Any]) -> tuple[Pages, list[Any]]:
    """Return (pages, first): an iterator of all pages after the first one, and the first page.

    Retry if a node is lost before the first page is read.
    """
    for _ in range(BEGINNINGS - 1):
        pages = _read_pages(server, index, body)
        with suppress(Incomplete):
            return pages, next(pages)
    pages = _read_pages(server, index, body)
    return pages, next(pages)


def _read_pages(server: Searcher, index: str, body: Mapping[str, Any]) -> Pages:
    """Yield the results page by page from one frozen state of the index (a "point in time").

    Only the last page has fewer than `PAGE` rows. The state is lost if one of its nodes leaves the cluster.
    """
    pit_id = server.call("POST", f"/{index}/_search/point_in_time", keep_alive=KEEP_ALIVE)["pit_id"]
    request = {**body, "pit": {"id": pit_id, "keep_alive": KEEP_ALIVE}}
    try:
        while len(page := require_whole(server.call("POST", "/_search", request))["hits"]["hits"]) == PAGE:
            yield page
            request["search_after"] = page[-1]["sort"]
        yield page
    finally:
        with suppress(StoreError), use_own_time(GIVEN_BACK_S):  # it expires by itself, after minutes
            server.call("DELETE", "/_search/point_in_time", {"pit_id": [pit_id]})
