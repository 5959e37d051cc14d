"""Convert errors of the OpenSearch client and error responses to `StoreError`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from opensearchpy.exceptions import (
    AuthenticationException,
    AuthorizationException,
    ConnectionError,
    ConnectionTimeout,
    ImproperlyConfigured,
    NotFoundError,
    OpenSearchException,
    TransportError,
)

from rostrum_core.errors import StoreError

BUSY = (429, 502, 503, 504)
"""Statuses of requests that may succeed when retried."""

REJECTED = ("rejected_execution_exception", "circuit_breaking_exception")
"""Error types of a shard that is too busy for its part of a search."""


LEFT = "illegal_state_exception: no node found for id"
"""Status 500: a node left the cluster, together with its part of a point in time."""


class NotFound(StoreError):
    """Report that an index or a row does not exist."""


class AlreadyThere(StoreError):
    """Report that the index to create already exists."""


class Incomplete(StoreError):
    """Report that some shards did not answer a search. A new search may reach them on other nodes."""


class RowRefused(StoreError):
    """Report that an index rejects a row; `key` is the `_id` of the row."""

    def __init__(self, index: str, key: str, reason: str) -> None:
        super().__init__(f"OpenSearch refused a row of {index}: {reason}")
        self.key, self.reason = key, reason


@contextmanager
def translate_errors(url: str) -> Iterator[None]:
    """Raise `StoreError` instead of an error of the OpenSearch client inside a `with` block.

    Its message has the address and the server's reason.
    """
    where = f"OpenSearch at {url}"
    try:
        yield
    except ConnectionTimeout as error:
        raise StoreError(f"{where} did not answer in time") from error
    except ConnectionError as error:
        raise StoreError(f"{where} cannot be reached: {error.error}") from error
    except (AuthenticationException, AuthorizationException) as error:
        raise StoreError(f"{where} refuses the user: {_describe(error)}") from error
    except NotFoundError as error:
        raise NotFound(f"{where} has not found: {_describe(error)}") from error
    except TransportError as error:
        raise _choose_error(error)(
            f"{where} refused, status {error.status_code}: {_describe(error)}"
        ) from error
    except (OpenSearchException, ImproperlyConfigured) as error:
        raise StoreError(f"{where}: {error}") from error


def is_busy(answer: Mapping[str, Any]) -> bool:
    """Return whether the cluster was too busy to answer a search completely, in all or some of its shards.

    `answer` is the response to one search of a request with several.

    >>> is_busy({"error": {"type": "search_phase_execution_exception"}, "status": 429})
    True
    """
    if "error" in answer:
        return answer.get("status") in BUSY
    failures = answer["_shards"].get("failures", ())
    return any(find_reason(failure["reason"]).startswith(REJECTED) for failure in failures)


def require_whole(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the response to one search if it is complete; raise an error otherwise.

    Raises:
        NotFound: the searched index does not exist.
        Incomplete: some of the shards did not answer.
        StoreError: the search failed.
    """
    if "error" in answer:
        kind = NotFound if answer.get("status") == 404 else StoreError
        raise kind(f"OpenSearch could not search: {find_reason(answer)}")
    if answer["timed_out"] or answer["_shards"]["failed"]:
        raise Incomplete(f"OpenSearch searched a part only: {answer['_shards']}")
    return answer


def list_rows(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of an `_mget` response that exist.

    Raises:
        NotFound: the index of the rows does not exist.
        StoreError: a row could not be read, for example because its shard is on no node.
    """
    for row in answer["docs"]:
        if "error" in row:
            missing = row["error"]["type"] == "index_not_found_exception"
            kind = NotFound if missing else StoreError
            raise kind(f"OpenSearch could not read a row of {row['_index']}: {find_reason(row)}")
    return [row for row in answer["docs"] if row["found"]]


def build_row_error(index: str, item: Mapping[str, Any]) -> StoreError:
    """Return the error for a row that a bulk request did not write.

    It is `RowRefused` if the row is invalid, and `StoreError` if the cluster failed.
    """
    if item["status"] == HTTPStatus.BAD_REQUEST:
        return RowRefused(index, item["_id"], find_reason(item))
    return StoreError(f"OpenSearch refused a row of {index}: {find_reason(item)}")


def find_reason(info: Any) -> str:
    """Return the innermost reason that an error response has.

    >>> find_reason({"error": {"type": "a", "reason": "b", "root_cause": [{"type": "c", "reason": "d"}]}})
    'c: d'
    >>> find_reason("no such host")
    'no such host'
    """
    error = info.get("error", info) if isinstance(info, dict) else info
    if not isinstance(error, dict):
        return str(error)
    causes = error.get("root_cause") or []
    innermost = error.get("caused_by") or (causes[0] if causes else error)
    return f"{innermost.get('type')}: {innermost.get('reason')}"


def _choose_error(error: TransportError) -> type[StoreError]:
    if error.error == "resource_already_exists_exception":
        return AlreadyThere
    return Incomplete if find_reason(error.info).startswith(LEFT) else StoreError


def _describe(error: TransportError) -> str:
    """Return the reason of an error, or the beginning of the response if it has no reason in JSON."""
    return find_reason(error.info) if error.info else " ".join(str(error.error).split())[:200]
