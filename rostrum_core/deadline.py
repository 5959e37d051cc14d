"""Until when the caller of a request waits: told once, known to every call that is made for it.

A store asks its servers a dozen times for one answer; none of them may wait longer than the caller does. The
deadline belongs to the thread or task that set it, and to those that it hands its context.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rostrum_core.errors import DeadlineExceeded

_ENDS_S: ContextVar[float] = ContextVar("deadline", default=math.inf)
"""Of the monotonic clock."""


@contextmanager
def limit_time(timeout_s: float) -> Iterator[None]:
    """What is done within has `timeout_s` seconds, and no more than whoever asked for it has left.

    >>> with limit_time(60), limit_time(3600):
    ...     59 < get_left_s() <= 60
    True
    """
    token = _ENDS_S.set(min(_ENDS_S.get(), time.monotonic() + timeout_s))
    try:
        yield
    finally:
        _ENDS_S.reset(token)


@contextmanager
def use_own_time(timeout_s: float) -> Iterator[None]:
    """What is done within has `timeout_s` seconds, whatever the caller has left: to give back what was taken.

    >>> with limit_time(0), use_own_time(60):
    ...     59 < get_left_s() <= 60
    True
    """
    token = _ENDS_S.set(time.monotonic() + timeout_s)
    try:
        yield
    finally:
        _ENDS_S.reset(token)


def check_deadline(doing: str) -> None:
    """Raise if no time is left for what comes next; `doing` names it in the message.

    >>> with limit_time(60):
    ...     check_deadline("tokenise")

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    if get_left_s() <= 0:
        raise DeadlineExceeded(f"{doing}: no time is left for it")


def get_left_s() -> float:
    """Seconds until the deadline, 0 after it; infinity where nobody set one.

    >>> get_left_s()
    inf
    """
    return max(0.0, _ENDS_S.get() - time.monotonic())
