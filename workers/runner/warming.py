"""Models loaded and run once before a worker takes work."""

from __future__ import annotations

import multiprocessing
from typing import Any

from celery import bootsteps
from celery.worker.components import Pool

from reranker.models.loaded import Models
from rostrum_core import codec
from workers.runner.payloads import Payload
from workers.runner.tasks import TASKS
from workers.runner.wire import perform

LONGEST_S = 120.0  # a process that is not warm by then is not waited for


def warm(models: Models) -> None:
    """Load the models and run each task on its example, so that no request waits for that.

    Raises:
        ModelError: they cannot be loaded.
        TaskError: they cannot be run.
    """
    answers: dict[str, Payload] = {}
    for name, task in TASKS.items():
        if task.example is not None and all(part in models.hashes for part in task.parts):
            answer = perform(models, name, codec.encode(task.example(answers)))
            answers[name] = codec.decode(answer)


class Warmth:
    """Tells the main process of a worker when those that it forked are warm."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._told = multiprocessing.Semaphore(0)

    def tell(self) -> None:
        """In a forked process: it has warmed up, or never will."""
        self._told.release()

    def step(self) -> type:
        """The step of a worker that waits between the start of its processes and the first look for work."""
        processes, told = self._processes, self._told

        class Warmed(bootsteps.StartStopStep):
            requires = (Pool,)

            def start(self, worker: Any) -> None:
                for _ in range(processes):
                    told.acquire(timeout=LONGEST_S)

        return Warmed
