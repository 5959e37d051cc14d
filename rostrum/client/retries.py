"""Decide whether and when to retry a call: before its deadline, and only if a retry does no harm."""

from __future__ import annotations

import random
import time
from typing import Any

from rostrum.client.calls import Call
from rostrum.client.errors import Busy, ServiceError, Unavailable, Unreachable
from rostrum_core.errors import BadInput

FIRST_WAIT_S = 0.2  # doubled with every attempt
LONGEST_WAIT_S = 10.0
LONGEST_S = 86_400  # the most that the service accepts
NOTHING_PUBLISHED = "nothing_published"  # lasts until an operator publishes


class Attempts:
    """Track the attempts at one call, which share one timeout.

    The timeout is the call's own, or `default_s` if the call has none. It is at most a day.

    Raises:
        BadInput: the timeout is not positive, or more than a day.
    """

    def __init__(self, call: Call[Any], default_s: float) -> None:
        timeout_s = default_s if call.timeout_s is None else call.timeout_s
        if not 0 < timeout_s <= LONGEST_S:
            raise BadInput(f"timeout_s must be above 0 and at most {LONGEST_S}", field="timeout_s")
        self._call = call
        self._deadline = time.monotonic() + timeout_s
        self._failed = 0

    def count_left_s(self) -> float:
        """Return the seconds until the deadline; 0 after it."""
        return max(0.0, self._deadline - time.monotonic())

    def compute_wait_s(self, error: ServiceError) -> float:
        """Return the seconds to wait before the next attempt: the service's `Retry-After` or our backoff,
        whichever is longer.

        Raises:
            ServiceError: this `error`, if the call may not be retried or the wait would outlast the deadline.
        """
        self._failed += 1
        wait = max(error.retry_after_s or 0.0, choose_backoff_s(self._failed))
        if not is_repeatable(self._call, error) or wait >= self.count_left_s():
            raise error
        return wait


def is_repeatable(call: Call[Any], error: ServiceError) -> bool:
    """Return whether a call may be retried after the error `error`.

    A call that changes something is retried only if the service has not begun to process it.
    """
    if isinstance(error, Busy):
        return True
    if isinstance(error, Unreachable):
        return call.safe or not error.sent
    waits = call.patient and error.code != NOTHING_PUBLISHED
    return waits and call.safe and isinstance(error, Unavailable)


def choose_backoff_s(failed: int) -> float:
    """Return the seconds to wait before a retry, after `failed` failed attempts.

    A delay doubles with each failure, up to `LONGEST_WAIT_S`. Half of the delay is always waited, and a
    random part of the other half.

    Source: "equal jitter", Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    """
    whole = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(failed - 1, 16))
    return whole / 2 + random.uniform(0.0, whole / 2)  # noqa: S311
