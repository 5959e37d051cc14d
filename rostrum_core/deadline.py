"""Set the deadline of a request once; apply it to every call made for the request. End work that nobody
waits for.

A store sends a dozen requests to its servers for one search. None of them may outlast the caller's timeout.
Deadline and caller belong to the thread or task that set them, and to those that copy its context.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rostrum_core.errors import Abandoned, DeadlineExceeded

_ENDS_S: ContextVar[float] = ContextVar("deadline", default=math.inf)
"""Measured by the monotonic clock."""

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
    """Run a block for a caller who may leave: `is_gone` says whether he has, from any thread."""
    token = _IS_GONE.set(is_gone)
    try:
        yield
    finally:
        _IS_GONE.reset(token)


def check_caller() -> None:
    """Raise if the caller has left. Call it between the steps of work that changes nothing.

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
    """Raise if no time is left for the next step; `doing` names it in the message.

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
