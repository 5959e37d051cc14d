"""What a cluster refuses or fails at, told as `StoreError`."""

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
"""Statuses of what may succeed in a moment."""

REJECTED = ("rejected_execution_exception", "circuit_breaking_exception")
"""Why a shard that is too busy leaves its part of a search to nobody."""


LEFT = "illegal_state_exception: no node found for id"
"""Status 500: a node left the cluster, with its part of what a point in time held."""


class NotFound(StoreError):
    """An index or a row is not there."""


class AlreadyThere(StoreError):
    """An index that was to be made is there."""


class Incomplete(StoreError):
    """Some of the shards did not answer a search. Begun anew it may find them on other nodes."""


class RowRefused(StoreError):
    """A row, of this `_id`, is none that its index can hold."""

    def __init__(self, index: str, key: str, reason: str) -> None:
        super().__init__(f"OpenSearch refused a row of {index}: {reason}")
        self.key, self.reason = key, reason


@contextmanager
def reported(url: str) -> Iterator[None]:
    """Errors of the client become `StoreError`, with the address and the server's reason."""
    where = f"OpenSearch at {url}"
    try:
        yield
    except ConnectionTimeout as error:
        raise StoreError(f"{where} did not answer in time") from error
    except ConnectionError as error:
        raise StoreError(f"{where} cannot be reached: {error.error}") from error
    except (AuthenticationException, AuthorizationException) as error:
        raise StoreError(f"{where} refuses the user: {_told(error)}") from error
    except NotFoundError as error:
        raise NotFound(f"{where} has not found: {_told(error)}") from error
    except TransportError as error:
        raise _kind(error)(f"{where} refused, status {error.status_code}: {_told(error)}") from error
    except (OpenSearchException, ImproperlyConfigured) as error:
        raise StoreError(f"{where}: {error}") from error


def busy(answer: Mapping[str, Any]) -> bool:
    """Whether one search of several was not answered, or not by all shards, as the cluster was too busy.

    >>> busy({"error": {"type": "search_phase_execution_exception"}, "status": 429})
    True
    """
    if "error" in answer:
        return answer.get("status") in BUSY
    failures = answer["_shards"].get("failures", ())
    return any(reason(each["reason"]).startswith(REJECTED) for each in failures)


def whole(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of one search.

    Raises:
        NotFound: its index is not there.
        Incomplete: some of the shards did not answer.
        StoreError: it failed.
    """
    if "error" in answer:
        kind = NotFound if answer.get("status") == 404 else StoreError
        raise kind(f"OpenSearch could not search: {reason(answer)}")
    if answer["timed_out"] or answer["_shards"]["failed"]:
        raise Incomplete(f"OpenSearch searched a part only: {answer['_shards']}")
    return answer


def rows_there(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The rows of an answer to `_mget` that are there.

    Raises:
        NotFound: their index is not there.
        StoreError: a row could not be read, such as one whose shard is on no node.
    """
    for each in answer["docs"]:
        if "error" in each:
            missing = each["error"]["type"] == "index_not_found_exception"
            kind = NotFound if missing else StoreError
            raise kind(f"OpenSearch could not read a row of {each['_index']}: {reason(each)}")
    return [each for each in answer["docs"] if each["found"]]


def row_failure(index: str, item: Mapping[str, Any]) -> StoreError:
    """Why a row of a bulk request was not written: for what it is, or for what befell the cluster."""
    if item["status"] == HTTPStatus.BAD_REQUEST:
        return RowRefused(index, item["_id"], reason(item))
    return StoreError(f"OpenSearch refused a row of {index}: {reason(item)}")


def reason(info: Any) -> str:
    """The innermost reason that an answer tells.

    >>> reason({"error": {"type": "a", "reason": "b", "root_cause": [{"type": "c", "reason": "d"}]}})
    'c: d'
    >>> reason("no such host")
    'no such host'
    """
    error = info.get("error", info) if isinstance(info, dict) else info
    if not isinstance(error, dict):
        return str(error)
    causes = error.get("root_cause") or []
    innermost = error.get("caused_by") or (causes[0] if causes else error)
    return f"{innermost.get('type')}: {innermost.get('reason')}"


def _kind(error: TransportError) -> type[StoreError]:
    if error.error == "resource_already_exists_exception":
        return AlreadyThere
    return Incomplete if reason(error.info).startswith(LEFT) else StoreError


def _told(error: TransportError) -> str:
    """The reason, or where whoever answered tells none in JSON, the beginning of what it says."""
    return reason(error.info) if error.info else " ".join(str(error.error).split())[:200]
