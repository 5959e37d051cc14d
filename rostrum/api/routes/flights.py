"""Compute the answer to concurrent identical requests only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError

from rostrum_core.types import Answer, Explanation

Explained = tuple[Answer, Explanation | None]


class Flights:
    """Hold the answers that are being computed, by tag. Threads may share this.

    The first thread with a tag computes the answer. Others wait for it, and use it unless it is degraded,
    because they may have more time than the first.
    """

    def __init__(self) -> None:
        self._running: dict[str, Future[Explained]] = {}
        self._guard = threading.Lock()

    def compute(
        self, tag: str, answering: Callable[[], Explained], *, wait_s: float
    ) -> tuple[Explained, bool]:
        """Return an answer, and whether another thread computed it.

        If another thread is computing the answer for the same `tag`, wait for it up to `wait_s`. Otherwise,
        and if the other thread fails or takes longer, call `answering`.
        """
        with self._guard:
            theirs = self._running.get(tag)
            mine: Future[Explained] = Future()
            if theirs is None:
                self._running[tag] = mine
        if theirs is None:
            return self._lead(tag, answering, mine), False
        shared = _wait(theirs, wait_s)
        return (shared, True) if shared is not None else (answering(), False)

    def _lead(self, tag: str, answering: Callable[[], Explained], mine: Future[Explained]) -> Explained:
        try:
            explained = answering()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(explained)
            return explained
        finally:
            with self._guard:
                del self._running[tag]


def _wait(theirs: Future[Explained], wait_s: float) -> Explained | None:
    """Wait for another thread's answer; return `None` if it failed, is degraded or did not come in time."""
    try:
        if theirs.exception(timeout=min(wait_s, threading.TIMEOUT_MAX)) is not None:
            return None
    except TimeoutError:
        return None
    explained = theirs.result()
    return None if explained[0].degraded else explained
