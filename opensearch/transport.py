"""A transport that asks again, within the time of the request, where a node is away or busy."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from opensearchpy import Transport
from opensearchpy.exceptions import ConnectionError, ConnectionTimeout, TransportError

from opensearch.failures import BUSY, reason

LOST = ("node_disconnected_exception", "node_not_connected_exception")
"""Status 500: a node left that was at work on the request; the cluster asks another the next time."""

PAUSES_S = (0.1, 0.3, 1.0, 3.0)
"""Between attempts; each is shortened by up to a half, so that many clients do not come back at once."""


class PatientTransport(Transport):
    """Its own attempts take the place of the library's, which know neither pauses nor 429."""

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
        """The answer; `timeout`, or `request_timeout` among `params`, are seconds for all attempts."""
        options = dict(params or {})
        allowed_s = options.pop("request_timeout", None) or timeout or self.kwargs["timeout"]
        deadline = time.monotonic() + allowed_s
        for remaining_s in attempts(deadline):
            try:
                return super().perform_request(method, url, {**options}, body, remaining_s, ignore, headers)
            except TransportError as error:
                if not _passing(error):
                    raise
                failure = error
        raise failure


def attempts(deadline: float) -> Iterator[float]:
    """A turn for every attempt, after the pause before it: the seconds left until the monotonic `deadline`.

    There is always a first; no other begins where its pause would outlast the deadline.
    """
    yield deadline - time.monotonic()
    for pause_s in PAUSES_S:
        if time.monotonic() + pause_s >= deadline:
            return
        time.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311
        yield deadline - time.monotonic()


def _passing(error: TransportError) -> bool:
    """Whether what failed may succeed in a moment."""
    if isinstance(error, ConnectionTimeout):
        return False
    if isinstance(error, ConnectionError) or error.status_code in BUSY:
        return True
    return bool(error.status_code == HTTPStatus.INTERNAL_SERVER_ERROR and reason(error.info).startswith(LOST))
