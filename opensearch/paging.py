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
    source: Sequence[str] | bool = True,
    query: Mapping[str, Any] | None = None,
    page: int = PAGE,
) -> Iterator[Any]:
    """Every hit of a query (of all rows, if none is given), in ascending order of fields that tell all apart.

    Raises:
        NotFound, StoreError: the index is not there, or cannot be read.
    """
    began = server.call("POST", f"/{index}/_search/point_in_time", keep_alive=KEEP_ALIVE)
    body: dict[str, Any] = {
        "size": page,
        "sort": [{field: "asc"} for field in sort],
        "_source": source if isinstance(source, bool) else list(source),
        "query": query or {"match_all": {}},
        "pit": {"id": began["pit_id"], "keep_alive": KEEP_ALIVE},
        "track_total_hits": False,
    }
    try:
        while hits := server.call("POST", "/_search", body)["hits"]["hits"]:
            yield from hits
            if len(hits) < page:
                return
            body["search_after"] = hits[-1]["sort"]
    finally:
        with suppress(StoreError):  # it ends by itself
            server.call("DELETE", "/_search/point_in_time", {"pit_id": [began["pit_id"]]})
