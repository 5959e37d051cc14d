"""Set a deadline once for a request; it applies to every call made for the request.

A store sends a dozen requests to its servers for one search, and none of them may outlast the caller's
timeout. Work also ends early if its caller leaves, for example by closing the connection. The deadline
applies to the thread or task that set it, and to those that copy its context.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rostrum_core.errors import Abandoned, DeadlineExceeded

_ENDS_S: ContextVar[float] = ContextVar("deadline", default=math.inf)
"""The deadline, by the monotonic clock."""

_IS_GONE: ContextVar[Callable[[], bool] | None] = ContextVar("caller", default=None)


@contextmanager
def limit_time(timeout_s: float) -> Iterator[None]:
    """Run a block under a timeout of `timeout_s` seconds, or the caller's remaining time if shorter.

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
    """Run cleanup under its own timeout of `timeout_s` seconds, ignoring the request's deadline.

    >>> with limit_time(0), use_own_time(60):
    ...     59 < get_left_s() <= 60
    True
    """
    token = _ENDS_S.set(time.monotonic() + timeout_s)
    try:
        yield
    finally:
        _ENDS_S.reset(token)


@contextmanager
def watch_caller(is_gone: Callable[[], bool]) -> Iterator[None]:
    """Let the work in a block end early if its caller leaves, for example by closing the connection.

    `is_gone` returns whether the caller has left; any thread may call it. The work ends at the next
    `check_caller`.
    """
    token = _IS_GONE.set(is_gone)
    try:
        yield
    finally:
        _IS_GONE.reset(token)


def check_caller() -> None:
    """Raise an error if the caller for whom this work is done has left.

    Call this only between steps of work that changes nothing.

    >>> with watch_caller(lambda: True):
    ...     check_caller()
    Traceback (most recent call last):
    rostrum_core.errors.Abandoned: the caller has left

    Raises:
        Abandoned: the caller has left.
    """
    is_gone = _IS_GONE.get()
    if is_gone is not None and is_gone():
        raise Abandoned("the caller has left")


def check_deadline(doing: str) -> None:
    """Raise an error if no time is left for the next step; the message names this step, `doing`.

    >>> with limit_time(60):
    ...     check_deadline("tokenise")

    Raises:
        DeadlineExceeded: the deadline has passed.
        Abandoned: the caller has left.
    """
    check_caller()
    if get_left_s() <= 0:
        raise DeadlineExceeded(f"{doing}: no time is left for it")


def get_left_s() -> float:
    """Return the seconds until the deadline: 0 after it, infinity if no deadline is set.

    >>> get_left_s()
    inf
    """
    return max(0.0, _ENDS_S.get() - time.monotonic())
