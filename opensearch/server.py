"""Send requests to an OpenSearch cluster through its REST interface."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from opensearchpy import OpenSearch
from opensearchpy.helpers import streaming_bulk

from opensearch.connection import Connection
from opensearch.failures import build_row_error, is_busy, require_whole, translate_errors
from opensearch.transport import PatientTransport, yield_attempts
from rostrum_core.deadline import check_caller, get_left_s
from rostrum_core.errors import StoreError

OLDEST = (3, 6)
"""Oldest supported version.

FAISS of older versions does not know the vectors' encoder as it is mapped (k-NN, pull request 3193). Before
3.0, BM25 scores are 2.2 times as high.
"""

NEEDED_PLUGIN = "opensearch-knn"

BULK_BYTES = 8_000_000
BULK_ROWS = 1000
BULK_RETRIES = 8
"""Retries for rows that were rejected because a queue was full, after 1, 2, 4 ... 30 s."""

BULK_TIMEOUT_S = 120.0


class Searcher(Protocol):
    """Send requests that only read."""

    def call(
        self, method: str, path: str, body: Any = None, *, timeout_s: float | None = None, **options: Any
    ) -> Any:
        """Send one request and return the decoded response; `options` are its query parameters."""

    def search_many(self, bodies: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Send several searches as one request, and return their hits.

        A search is a pair (index, request body).
        """


class Server:
    """Send requests to a cluster, from any number of threads.

    The cluster's version and plugins are checked before the first request. Reads end at the caller's deadline
    (`rostrum_core.deadline`); writes have no deadline.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._client = _build_client(connection)
        self._checked = False

    def call(
        self, method: str, path: str, body: Any = None, *, timeout_s: float | None = None, **options: Any
    ) -> Any:
        """Send one request and return the decoded response; `options` are its query parameters.

        Raises:
            NotFound: an index or a row does not exist.
            StoreError: the cluster cannot be reached, refuses, or is not supported.
        """
        self._check_once()
        return self._request(method, path, body, timeout_s, **options)

    def search_many(self, bodies: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Send several searches as one request, and return their hits.

        A search is a pair (index, request body). BM25 is computed with the statistics of the whole index, for
        any number of shards.

        Raises:
            NotFound, StoreError: as `call`; also if some of the shards did not answer a search.
        """
        if not bodies:
            return []
        self._check_once()
        lines: list[Any] = []
        for index, body in bodies:
            lines += [{"index": index, "search_type": "dfs_query_then_fetch"}, body]
        return [require_whole(answer)["hits"] for answer in self._search_many(lines)]

    def write(self, index: str, rows: Iterable[tuple[str, Mapping[str, Any] | None]]) -> None:
        """Write rows to an index, or delete them.

        `rows` has pairs (`_id`, row); a pair (`_id`, `None`) deletes the row with this `_id`. Rows that were
        rejected because of load are sent again.

        Raises:
            RowRefused: the index cannot hold a row; other rows may have been written.
            StoreError: a row was not written for another reason; other rows may have been written.
        """
        self._check_once()
        with translate_errors(self.connection.url):
            for done, details in streaming_bulk(
                self._client,
                (_build_action(index, name, row) for name, row in rows),
                chunk_size=BULK_ROWS,
                max_chunk_bytes=BULK_BYTES,
                raise_on_error=False,
                max_retries=BULK_RETRIES,
                initial_backoff=1,
                max_backoff=30,
                request_timeout=BULK_TIMEOUT_S,
            ):
                [(kind, item)] = details.items()
                if not done and (kind, item["status"]) != ("delete", 404):
                    raise build_row_error(index, item)

    def describe(self) -> tuple[str, list[str]]:
        """Return the cluster's version, and the names of the plugins on its nodes.

        Raises:
            StoreError: the server is not OpenSearch.
        """
        answer = self._request("GET", "/")
        version = answer.get("version") if isinstance(answer, dict) else None
        if not isinstance(version, dict) or version.get("distribution") != "opensearch":
            raise StoreError(f"the server at {self.connection.url} is no OpenSearch")
        plugins = self._request("GET", "/_cat/plugins", format="json", h="component")
        return version["number"], sorted({plugin["component"] for plugin in plugins})

    def close(self) -> None:
        """Close all connections; the next request opens new ones."""
        self._client.close()

    def check(self, version: str, plugins: Sequence[str]) -> None:
        """Raise an error if the version or the plugins of the server are not supported.

        Raises:
            StoreError: the server is too old, or lacks a plugin.
        """
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise StoreError(f"OpenSearch {version} at {self.connection.url} is older than {oldest}")
        if NEEDED_PLUGIN not in plugins:
            raise StoreError(f"OpenSearch at {self.connection.url} lacks the plugin {NEEDED_PLUGIN}")

    def require_faiss(self) -> None:
        """Raise StoreError if a node is known to lack the native libraries of FAISS.

        Such a node crashes at the first refresh of an index with this engine, and again at every start. No
        request shows whether a node has the libraries. But a node on Linux whose build has the type zip has
        none.
        """
        nodes = self._request(
            "GET", "/_nodes/os", filter_path="nodes.*.name,nodes.*.build_type,nodes.*.os.name"
        )
        doubtful = sorted(
            node["name"]
            for node in nodes["nodes"].values()
            if (node.get("build_type"), node.get("os", {}).get("name")) == ("zip", "Linux")
        )
        if doubtful:
            where = f"node {' and '.join(doubtful)} of {self.connection.url}"
            fault = "lacks the native libraries of FAISS and would end at the first refresh"
            raise StoreError(f"{where} {fault}: set ROSTRUM_OPENSEARCH_ENGINE=lucene")

    def _search_many(self, lines: Sequence[Any]) -> list[Any]:
        """Send several searches as one request, and return their responses.

        If the cluster is too busy for one of the searches, send all of them again.
        """
        deadline = time.monotonic() + self._limit_timeout(self.connection.timeout_s)
        answers: list[Any] = []
        for remaining_s in yield_attempts(deadline):
            with translate_errors(self.connection.url):
                answers = self._client.msearch(body=lines, request_timeout=remaining_s)["responses"]
            if not any(map(is_busy, answers)):
                break
        return answers

    def _check_once(self) -> None:
        if not self._checked:
            self.check(*self.describe())
            self._checked = True

    def _request(
        self, method: str, path: str, body: Any = None, timeout_s: float | None = None, **options: Any
    ) -> Any:
        with translate_errors(self.connection.url):
            return self._client.transport.perform_request(
                method,
                path,
                options,
                body,
                timeout=self._limit_timeout(timeout_s or self.connection.timeout_s),
            )

    def _limit_timeout(self, most_s: float) -> float:
        """Return the timeout of a request in seconds: `most_s`, or the caller's remaining time if shorter.

        Raises:
            StoreError: no time remains.
            Abandoned: the caller has left.
        """
        check_caller()
        if not (left := get_left_s()):
            raise StoreError(
                f"OpenSearch at {self.connection.url} did not answer within the time of the request"
            )
        return min(most_s, left)


def _build_client(connection: Connection) -> OpenSearch:
    files = {
        "ca_certs": connection.ca,
        "client_cert": connection.certificate,
        "client_key": connection.key,
    }
    secured = {name: str(path) for name, path in files.items() if path is not None}
    return OpenSearch(
        hosts=[connection.url],
        headers=_build_authorization(connection),
        timeout=connection.timeout_s,
        pool_maxsize=connection.connections,
        max_retries=0,
        transport_class=PatientTransport,
        **secured,
    )


def _build_authorization(connection: Connection) -> dict[str, str]:
    """Return the authorization header for user and password, encoded in UTF-8 as OpenSearch expects.

    The client library would use Latin-1.
    """
    if connection.user is None:
        return {}
    credentials = base64.b64encode(f"{connection.user}:{connection.password}".encode()).decode("ascii")
    return {"Authorization": f"Basic {credentials}"}


def _build_action(index: str, name: str, row: Mapping[str, Any] | None) -> dict[str, Any]:
    action: dict[str, Any] = {"_op_type": "index", "_index": index, "_id": name}
    return action | ({"_op_type": "delete"} if row is None else {"_source": row})
