"""All rows of a search, however many, as they were when it began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from opensearch.server import Server
from rostrum.core.errors import StoreError

PAGE = 1000
"""Rows per request; a page of documents with their texts is some 10 MB."""

KEEP_ALIVE = "5m"


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
    """
    began = server.call("POST", f"/{index}/_search/point_in_time", keep_alive=KEEP_ALIVE)
    body: dict[str, Any] = {
        "size": PAGE,
        "sort": [{field: "asc"} for field in sort],
        "query": query or {"match_all": {}},
        "pit": {"id": began["pit_id"], "keep_alive": KEEP_ALIVE},
        "track_total_hits": False,
        "_source": list(source) or False,
    }
    if columns:
        body |= {"docvalue_fields": list(columns), "stored_fields": "_none_"}
    try:
        while hits := server.call("POST", "/_search", body)["hits"]["hits"]:
            yield from hits
            if len(hits) < PAGE:
                return
            body["search_after"] = hits[-1]["sort"]
    finally:
        with suppress(StoreError):  # it ends by itself
            server.call("DELETE", "/_search/point_in_time", {"pit_id": [began["pit_id"]]})
