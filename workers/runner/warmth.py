"""Make a worker wait until its forked processes have loaded and run the models."""

from __future__ import annotations

import multiprocessing
from typing import Any

from celery import bootsteps
from celery.worker.components import Pool

LONGEST_S = 120.0  # do not wait longer for a process


class Warmth:
    """Let the main process of a worker wait until its forked processes are warmed up."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._warm = multiprocessing.Semaphore(0)

    def announce(self) -> None:
        """Signal to the main process that this forked process is warmed up, or that warming up failed."""
        self._warm.release()

    def make_step(self) -> type:
        """Return the class of a startup step for Celery, which waits until the forked processes are warm.

        The worker runs this step before it takes work.
        """
        processes, warm = self._processes, self._warm

        class Warmed(bootsteps.StartStopStep):
            requires = (Pool,)

            def start(self, worker: Any) -> None:
                for _ in range(processes):
                    warm.acquire(timeout=LONGEST_S)

        return Warmed
