"""Retry requests to the cluster, within their timeout, if a node is unavailable or busy."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from opensearchpy import Transport
from opensearchpy.exceptions import ConnectionError, ConnectionTimeout, TransportError

from opensearch.failures import BUSY, find_reason

LOST = ("node_disconnected_exception", "node_not_connected_exception")
"""Status 500: a node left while it ran the request; a retry reaches another node."""

PAUSES_S = (0.1, 0.3, 1.0, 3.0)
"""Pauses between attempts.

Each is shortened at random by up to half, so that clients do not retry at once.
"""


class PatientTransport(Transport):
    """Send requests, and repeat those that fail because a node is unavailable or too busy (status 429).

    Attempts are separated by pauses. The client library's own retries have no pauses, and do not cover status
    429.
    """

    def perform_request(
        self,
        method: str,
        url: str,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        timeout: float | None = None,
        ignore: Any = (),
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a request, repeat it if necessary, and return the response.

        `timeout`, or `request_timeout` in `params`, limits all attempts together, in seconds.
        """
        options = dict(params or {})
        allowed_s = options.pop("request_timeout", None) or timeout or self.kwargs["timeout"]
        deadline = time.monotonic() + allowed_s
        for remaining_s in yield_attempts(deadline):
            try:
                return super().perform_request(method, url, {**options}, body, remaining_s, ignore, headers)
            except TransportError as error:
                if not _is_passing(error):
                    raise
                failure = error
        raise failure


def yield_attempts(deadline: float) -> Iterator[float]:
    """Yield, once for each attempt at a request, the seconds left until `deadline`, a monotonic time.

    The first attempt is immediate. Before each further one, this function pauses; it ends instead if the
    pause would exceed the deadline.
    """
    yield deadline - time.monotonic()
    for pause_s in PAUSES_S:
        if time.monotonic() + pause_s >= deadline:
            return
        time.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311
        yield deadline - time.monotonic()


def _is_passing(error: TransportError) -> bool:
    """Return whether a failed request may succeed when retried."""
    if isinstance(error, ConnectionTimeout):
        return False
    if isinstance(error, ConnectionError) or error.status_code in BUSY:
        return True
    return bool(
        error.status_code == HTTPStatus.INTERNAL_SERVER_ERROR and find_reason(error.info).startswith(LOST)
    )
