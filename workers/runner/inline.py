"""Run model code in this process.

Payloads and responses are still encoded and decoded, so a payload that cannot be sent to a worker also fails
here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from reranker.models.loaded import Models
from rostrum_core import codec
from rostrum_core.deadline import check_caller
from rostrum_core.errors import DeadlineExceeded
from workers.runner.tasks import TASKS
from workers.runner.turns import Turns
from workers.runner.wire import perform, require_task


class InlineRunner:
    """Run tasks in this process, one after the other, even if several threads call at once.

    `load` returns the models, and is called once, at the first task.
    """

    def __init__(self, load: Callable[[], Models]) -> None:
        self._load, self._turns = load, Turns()

    @cached_property
    def _models(self) -> Models:
        return self._load()

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        """Run the task named `task` on each payload, and return the responses in order.

        Raises:
            TaskError: the task is unknown, a payload cannot be sent or processed, or the timeout expired. A
                payload in progress is finished; no further payload is started.
            ModelError: the models cannot be loaded.
            Abandoned: the caller has left; no further payload starts.
        """
        require_task(task)
        models = self._models
        deadline = time.monotonic() + timeout_s
        answers: list[Mapping[str, Any]] = []
        step = TASKS[task].turn_parts
        for first in range(0, len(payloads), step):
            with self._turns.take(deadline - time.monotonic()) as is_ours:
                for payload in payloads[first : first + step]:
                    check_caller()
                    if not is_ours or time.monotonic() > deadline:
                        done = f"{len(answers)} of {len(payloads)} parts done in {timeout_s:.1f} s"
                        raise DeadlineExceeded(f"{task}: {done}")
                    answers.append(codec.decode(perform(models, task, codec.encode(payload))))
        return answers
