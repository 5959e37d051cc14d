"""Limit the requests per client and minute; each process counts for itself."""

from __future__ import annotations

import math
import time
from http import HTTPStatus
from zlib import crc32

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from rostrum.api.edge.errors import Refused

ADDRESSES = 1 << 16
"""Number of counters for clients without a key. Two addresses may share one, so that memory stays small."""


class RateLimits:
    """Refuse the requests of a client that has sent `per_minute` requests in the last minute; 0 means no
    limit.

    Use from one event loop only.
    """

    def __init__(self, per_minute: int) -> None:
        self._most = RateLimitItemPerMinute(per_minute) if per_minute else None
        self._counts = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def count(self, client: str) -> None:
        """Count a request of a client, which is identified by its key or by its address.

        `client` is the result of `name_key_counter` or of `name_address_counter`.

        Raises:
            Refused: the client has reached its limit.
        """
        if self._most is None or await self._counts.hit(self._most, client):
            return
        stats = await self._counts.get_window_stats(self._most, client)
        wait_s = max(1, math.ceil(stats.reset_time - time.time()))
        message = f"{self._most.amount} requests a minute are served to one client: try again in {wait_s} s"
        headers = {"Retry-After": str(wait_s)}
        raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "rate_limited", message, headers=headers)


def name_key_counter(name: str) -> str:
    """Return the name under which the requests of a key are counted: "desk" -> "key desk"."""
    return f"key {name}"


def name_address_counter(address: str) -> str:
    """Return the name under which requests without a key are counted, by the client's address.

    >>> name_address_counter("10.0.0.1") == name_address_counter("10.0.0.2")
    False
    """
    return f"address {crc32(address.encode()) % ADDRESSES}"
