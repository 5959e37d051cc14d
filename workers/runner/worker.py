"""Run a worker: warm up its models before it takes work, and stop taking work once the models fail."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from celery import Celery, Task, signals
from celery.exceptions import Reject

from reranker.models.loaded import Models
from rostrum_core.errors import ModelError, RostrumError, TaskError
from workers.app import get_answers
from workers.runner.tasks import TASKS
from workers.runner.warming import warm
from workers.runner.warmth import Warmth
from workers.runner.wire import perform, require_same_models
from workers.serving import serve

Work = Task[[str, Mapping[str, str]], str]
"""Map a payload, and the hashes of the models it is meant for, to the response."""

REDELIVERIES = 1  # of a part whose worker died: a second death is blamed on the part
REDELIVERED_EXPIRY_S = 86_400


class Worker:
    """Run tasks of one Celery app with one set of models.

    The tasks run in this process if `concurrency` is 1, otherwise in that many forked processes. If an engine
    raises `ModelError` because its device is gone, the task returns to the queue and the worker stops.
    """

    def __init__(self, app: Celery, models: Models, *, queues: Sequence[str], concurrency: int) -> None:
        self._app, self._models, self._concurrency = app, models, concurrency
        self.queues = tuple(queues)
        self._main = os.getpid()
        self._lost, self._warmth = multiprocessing.Event(), Warmth(concurrency)
        for name in TASKS:
            app.task(name=name, bind=True, throws=(TaskError,))(self._make_task(name))

    def serve(self, ready: Callable[[], None]) -> None:
        """Take work until SIGTERM or SIGINT, then finish started work; call `ready` before the first task.

        Raises:
            ModelError: the models cannot be loaded, or failed later.
            TaskError: Celery failed.
        """
        if self._concurrency == 1:
            warm(self._models)
        else:
            signals.worker_process_init.connect(self._warm_child, weak=False)
            self._app.steps["worker"].add(self._warmth.make_step())
        code = serve(self._app, self.queues, concurrency=self._concurrency, ready=ready)
        if self._lost.is_set():
            raise ModelError("the models cannot be run here any longer: the log says why")
        if code:
            raise TaskError(f"the worker ended with exit code {code}: the log says why")

    def _make_task(self, name: str) -> Callable[[Work, str, Mapping[str, str]], str]:
        def answer(task: Work, payload: str, expected: Mapping[str, str] | None = None) -> str:
            require_same_models(name, expected or {}, self._models.hashes)  # an older caller sends none
            _refuse_poison(task)
            try:
                return perform(self._models, name, payload.encode("ascii")).decode("ascii")
            except ModelError as error:
                self._leave(error)
                raise Reject(error, requeue=True) from error

        return answer

    def _warm_child(self, **_: Any) -> None:
        try:
            warm(self._models)
        except RostrumError as error:  # the sender of the signal would swallow it
            self._leave(error)
        self._warmth.announce()

    def _leave(self, error: RostrumError) -> None:
        logging.getLogger(__name__).critical("no more work is taken: %s", error)
        self._lost.set()
        os.kill(self._main, signal.SIGTERM)


def _refuse_poison(task: Work) -> None:
    """Refuse a task that has killed earlier workers.

    Raises:
        TaskError: too many workers died while processing the task.
    """
    if not (task.request.delivery_info or {}).get("redelivered"):
        return
    client, key = get_answers(task.app).client, f"rostrum.redelivered.{task.request.id}"
    times = client.incr(key)
    client.expire(key, REDELIVERED_EXPIRY_S)
    if times > REDELIVERIES:
        raise TaskError(f"{task.name}: {times} workers were lost over a part, it is not tried again")
