"""Whether and when a call is tried again: within its deadline, and only where that does no harm."""

from __future__ import annotations

import random
import time
from typing import Any

from rostrum.client.calls import Call
from rostrum.client.errors import Busy, ServiceError, Unavailable, Unreachable
from rostrum_core.errors import BadInput

FIRST_WAIT_S = 0.2  # doubled with every attempt
LONGEST_WAIT_S = 10.0
LONGEST_S = 86_400  # what the service takes
NOTHING_PUBLISHED = "nothing_published"  # what an operator ends, in his time


class Attempts:
    """The attempts at one call, which all together have `timeout_s`, a day at most.

    Raises:
        BadInput: there is no time, or more than that.
    """

    def __init__(self, call: Call[Any], timeout_s: float) -> None:
        if not 0 < timeout_s <= LONGEST_S:
            raise BadInput(f"timeout_s must be above 0 and at most {LONGEST_S}", field="timeout_s")
        self._call = call
        self._deadline = time.monotonic() + timeout_s
        self._failed = 0

    def left_s(self) -> float:
        """Seconds until the deadline; 0 after it."""
        return max(0.0, self._deadline - time.monotonic())

    def wait_s(self, error: ServiceError) -> float:
        """Seconds to wait before the next attempt: as the service asks, or our own time if that is longer.

        Raises:
            ServiceError: this `error`, where there is to be no other attempt.
        """
        self._failed += 1
        wait = max(error.retry_after_s or 0.0, backoff_s(self._failed))
        if not repeatable(self._call, error) or wait >= self.left_s():
            raise error
        return wait


def repeatable(call: Call[Any], error: ServiceError) -> bool:
    """Whether a call may be made again after this error.

    A call that changes something is repeated only where the service has begun nothing.
    """
    if isinstance(error, Busy):
        return True
    if isinstance(error, Unreachable):
        return call.safe or not error.sent
    waits = call.patient and error.code != NOTHING_PUBLISHED
    return waits and call.safe and isinstance(error, Unavailable)


def backoff_s(failed: int) -> float:
    """How long to wait after so many failures: half of a time that doubles, and a random part of the rest.

    Source: "equal jitter", Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    """
    whole = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(failed - 1, 16))
    return whole / 2 + random.uniform(0.0, whole / 2)  # noqa: S311
