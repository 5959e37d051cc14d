"""Take turns on the processor: one thread computes at a time, first come, first served.

An engine uses all cores for one batch. Two requests that computed at once would share the cores, and both
would be late.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Queue threads for the processor: `take` lets in one thread at a time, first come, first served."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queue: deque[threading.Event] = deque()
        """The first has its turn; the others wait for their event."""

    @property
    def waiting(self) -> int:
        """Return the number of threads that are waiting for their turn."""
        with self._guard:
            return max(0, len(self._queue) - 1)

    @contextmanager
    def take(self, timeout_s: float) -> Iterator[bool]:
        """Wait at most `timeout_s` for this thread's turn to compute, then run the `with` block.

        Yield true if it is this thread's turn, or false after the timeout; the block runs in both cases. The
        turn ends with the block.
        """
        mine = threading.Event()
        with self._guard:
            self._queue.append(mine)
            if self._queue[0] is mine:
                mine.set()
        try:
            yield mine.wait(max(0.0, timeout_s))
        finally:
            self._leave(mine)

    def _leave(self, mine: threading.Event) -> None:
        with self._guard:
            self._queue.remove(mine)
            if self._queue:
                self._queue[0].set()
