"""Make a worker wait until its forked processes are warm."""

from __future__ import annotations

import multiprocessing
from typing import Any

from celery import bootsteps
from celery.worker.components import Pool

LONGEST_S = 120.0  # do not wait longer for a process


class Warmth:
    """Signal the main process of a worker when its forked processes are warmed up."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._warm = multiprocessing.Semaphore(0)

    def announce(self) -> None:
        """Signal from a forked process that it is warmed up, or that warming up failed."""
        self._warm.release()

    def make_step(self) -> type:
        """Return a Celery worker step that waits between starting the processes and polling for work."""
        processes, warm = self._processes, self._warm

        class Warmed(bootsteps.StartStopStep):
            requires = (Pool,)

            def start(self, worker: Any) -> None:
                for _ in range(processes):
                    warm.acquire(timeout=LONGEST_S)

        return Warmed
