"""Limit how many requests of a kind run at once, in total and for each client.

Ranking takes seconds and reading milliseconds, so each kind of work has its own capacity. Further requests
wait briefly in a short queue before they are refused.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import Scope

from rostrum.api.edge.errors import Refused

RETRY_S = 1
SHARE = 0.5
"""Share of all places that one client may use at a time; the rest is left to others."""


def get_client_name(scope: Scope) -> str | None:
    """Return the name of the API key that a request was sent with; `None` if the service needs no key."""
    key = scope.get("rostrum.key")
    return None if key is None else str(key.name)


def limit_share(whole: int) -> int:
    """Return how many requests or bytes one client may use at a time: a share of `whole`, at least 1.

    >>> limit_share(8), limit_share(1)
    (4, 1)
    """
    return max(1, math.floor(whole * SHARE))


@dataclass(eq=False, slots=True)
class _Waiting:
    client: str | None
    granted: asyncio.Future[None]


class Capacity:
    """Limit how many requests of one `kind`, such as "requests that rank", run at the same time.

    A running request takes one of the `places`. Up to `most_waiting` requests wait for a place, at most
    `wait_s` seconds each, first come, first served. A client may use only a share of the places (see
    `limit_share`). While it uses all of these, its waiting requests are skipped. If the service needs no key,
    all clients count as one client, which may use all places. Use from one event loop only.
    """

    def __init__(self, places: int, kind: str, *, most_waiting: int, wait_s: float) -> None:
        self._places, self._kind = places, kind
        self._most_waiting, self._wait_s = most_waiting, wait_s
        self._places_by_client: Counter[str | None] = Counter()
        self._waiting: list[_Waiting] = []

    @property
    def taken(self) -> int:
        """Return the number of requests that are running."""
        return self._places_by_client.total()

    @property
    def busy(self) -> int:
        """Return the number of requests that are running or wait to run."""
        return self.taken + len(self._waiting)

    @asynccontextmanager
    async def place(self, client: str | None = None) -> AsyncIterator[None]:
        """Take a place as soon as one is free for this client, and give it back after the `with` block.

        Raises:
            Refused: no place became free in time, or the queue or the client's share of the queue is full.
        """
        await self._take(client)
        try:
            yield
        finally:
            self._give_back(client)

    async def _take(self, client: str | None) -> None:
        if self._is_free(client):
            self._places_by_client[client] += 1
            return
        if len(self._waiting) >= self._most_waiting or self._has_share_of_queue(client):
            raise self._make_refusal(client)
        waiting = _Waiting(client, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await asyncio.wait_for(waiting.granted, self._wait_s)
        except TimeoutError as error:
            raise self._make_refusal(client) from error
        except asyncio.CancelledError:
            if waiting.granted.done() and not waiting.granted.cancelled():
                self._give_back(client)
            raise
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)

    def _give_back(self, client: str | None) -> None:
        self._places_by_client[client] -= 1
        self._places_by_client += Counter()  # removes names without a place
        for waiting in self._waiting:
            if not waiting.granted.done() and self._is_free(waiting.client):
                self._places_by_client[waiting.client] += 1
                waiting.granted.set_result(None)
                self._waiting.remove(waiting)
                return

    def _is_free(self, client: str | None) -> bool:
        return self.taken < self._places and (
            client is None or self._places_by_client[client] < limit_share(self._places)
        )

    def _has_share_of_queue(self, client: str | None) -> bool:
        own = sum(waiting.client == client for waiting in self._waiting)
        return client is not None and own >= limit_share(self._most_waiting)

    def _make_refusal(self, client: str | None) -> Refused:
        own = client is not None and self._places_by_client[client] >= limit_share(self._places)
        whose = f"of this key, {self._places_by_client[client]}" if own else f"{self.taken}"
        message = f"{whose} {self._kind} are being worked on already: try again in a moment"
        return make_busy_refusal(message)


class ByteBudget:
    """Limit the bytes of the request bodies that arrive at the same time, in total and for each client.

    Use from one event loop only.
    """

    def __init__(self, size_bytes: int) -> None:
        self._size_bytes = size_bytes
        self._bytes_by_client: Counter[str | None] = Counter()

    def hold(self, client: str | None, size_bytes: int) -> None:
        """Reserve bytes of the budget for a client.

        The bytes stay reserved even if this method raises an error, so `give_back` must always follow.

        Raises:
            Refused: the reserved bytes exceed the budget or the client's share.
        """
        self._bytes_by_client[client] += size_bytes
        if self._bytes_by_client.total() > self._size_bytes:
            raise make_busy_refusal("too much is being sent by all clients together: try again in a moment")
        if client is not None and self._bytes_by_client[client] > limit_share(self._size_bytes):
            raise make_busy_refusal("too much is being sent with this key at one time: try again in a moment")

    def give_back(self, client: str | None, size_bytes: int) -> None:
        """Release the bytes that `hold` reserved for a client."""
        self._bytes_by_client[client] -= size_bytes
        self._bytes_by_client += Counter()


def make_busy_refusal(message: str) -> Refused:
    """Return an error with status 429 that tells the client to retry after `RETRY_S` seconds."""
    headers = {"Retry-After": str(RETRY_S)}
    return Refused(HTTPStatus.TOO_MANY_REQUESTS, "too_many_requests", message, headers=headers)
