"""Lets a worker wait until the processes that it forked are warm."""

from __future__ import annotations

import multiprocessing
from typing import Any

from celery import bootsteps
from celery.worker.components import Pool

LONGEST_S = 120.0  # a process that is not warm by then is not waited for


class Warmth:
    """Tells the main process of a worker when those that it forked are warm."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._warm = multiprocessing.Semaphore(0)

    def tell(self) -> None:
        """In a forked process: it has warmed up, or never will."""
        self._warm.release()

    def step(self) -> type:
        """The step of a worker that waits between the start of its processes and the first look for work."""
        processes, warm = self._processes, self._warm

        class Warmed(bootsteps.StartStopStep):
            requires = (Pool,)

            def start(self, worker: Any) -> None:
                for _ in range(processes):
                    warm.acquire(timeout=LONGEST_S)

        return Warmed
