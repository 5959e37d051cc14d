"""How many requests a minute a client may make; each has its own count, kept by this process."""

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
"""Counts that are kept of clients without a key: two addresses may share one, and memory stays small."""


class RateLimits:
    """Counts requests by client over a minute that slides; 0 `per_minute` counts none.

    Used by one event loop.
    """

    def __init__(self, per_minute: int) -> None:
        self._most = RateLimitItemPerMinute(per_minute) if per_minute else None
        self._counts = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def count(self, client: str) -> None:
        """Counts one request of a client, as `of_key` or `of_address` names it.

        Raises:
            Refused: it has made as many as it may.
        """
        if self._most is None or await self._counts.hit(self._most, client):
            return
        stats = await self._counts.get_window_stats(self._most, client)
        wait_s = max(1, math.ceil(stats.reset_time - time.time()))
        told = f"{self._most.amount} requests a minute are served to one client: try again in {wait_s} s"
        headers = {"Retry-After": str(wait_s)}
        raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "rate_limited", told, headers=headers)


def of_key(name: str) -> str:
    """What a client with a key is counted by."""
    return f"key {name}"


def of_address(address: str) -> str:
    """What a client without a key is counted by.

    >>> of_address("127.0.0.1") == of_address("127.0.0.1"), of_address("10.0.0.1") == of_address("10.0.0.2")
    (True, False)
    """
    return f"address {crc32(address.encode()) % ADDRESSES}"
