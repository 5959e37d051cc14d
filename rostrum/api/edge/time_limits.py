"""Limit the time of a request to the timeout that the client sent, but at most to the service's timeout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from rostrum.api.edge.errors import Refused
from rostrum_core.deadline import get_left_s, limit_time
from rostrum_core.errors import DeadlineExceeded, StoreError


def limit_timeout(timeout_ms: int | None, most_s: float) -> float:
    """Return the seconds that a request may take: the client's `timeout_ms`, but at most `most_s`.

    >>> limit_timeout(None, 60.0), limit_timeout(1500, 60.0), limit_timeout(90_000, 60.0)
    (60.0, 1.5, 60.0)
    """
    return most_s if timeout_ms is None else min(most_s, timeout_ms / 1000)


@contextmanager
def limit_request_time(timeout_ms: int | None, most_s: float) -> Iterator[float]:
    """Run the `with` block of a request under a deadline, and yield the seconds that the request may take.

    Raises:
        Refused: the client's own timeout has passed, or a search failed because too little time was left.
            The response has no `Retry-After`, because a retry would end in the same way.
        DeadlineExceeded: the timeout of the service has passed.
    """
    timeout_s = limit_timeout(timeout_ms, most_s)
    left_s = timeout_s
    try:
        with limit_time(timeout_s):
            try:
                yield timeout_s
            finally:
                left_s = get_left_s()
    except (DeadlineExceeded, StoreError) as error:
        if timeout_ms is None or timeout_s >= most_s or (isinstance(error, StoreError) and left_s):
            raise
        message = f"not all was done within the {timeout_ms} ms that this request allows"
        raise Refused(HTTPStatus.GATEWAY_TIMEOUT, "deadline_exceeded", message, field="timeout_ms") from error
