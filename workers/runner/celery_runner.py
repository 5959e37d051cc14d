"""Run model code on Celery workers.

Every payload of a call becomes a task; all tasks are sent at once and finish in any order.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from celery import Celery, states
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from rostrum_core import codec
from rostrum_core.deadline import check_caller
from rostrum_core.errors import Abandoned, DeadlineExceeded, TaskError
from workers.app import choose_queue, get_answers
from workers.failures import translate_errors
from workers.presence import Watch, check_present
from workers.runner.lost_parts import LOOK_S, LOOKS_S, LostParts
from workers.runner.wire import require_task

POLL_S = 0.005
"""Seconds between two polls for responses; a request waits half of this longer on average."""

POLLS_S = {"encode": 0.1}
"""Poll intervals of other tasks: a task of a refresh takes a second or two, and threads poll for hours."""

SENDINGS = 4
"""How often a task is sent again if it is lost each time."""

STALLED_S = 600.0
"""Seconds without any response after which a call ends before its deadline."""


class CeleryRunner:
    """Send tasks to the workers of `device`, and tasks that encode paragraphs to the queue `encode`.

    Threads may share a runner. `hashes` are the hashes of the caller's models; a worker with other models
    rejects a task.
    """

    def __init__(self, app: Celery, device: str, hashes: Mapping[str, str]) -> None:
        self._app, self._device, self._hashes = app, device, dict(hashes)

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        """Run the task named `task` on each payload, and return the responses in order.

        Tasks expire at the deadline, so no task starts after the deadline. A task that was lost on its way to
        a worker is sent again. After an error, tasks that no worker has started are revoked, unless Redis is
        unavailable.

        Raises:
            TaskError: the task is unknown, a payload cannot be sent or processed, no worker is present, a
                worker has other models, Redis is unavailable, no response came for `STALLED_S`, or the
                timeout expired.
            Abandoned: the caller has left.
        """
        require_task(task)
        if timeout_s <= 0:
            raise DeadlineExceeded(f"{task}: no time is left for it")
        texts = {str(uuid4()): codec.encode(payload).decode("ascii") for payload in payloads}
        if not texts:
            return []
        deadline = time.monotonic() + timeout_s
        with translate_errors(task):
            check_present(self._app, task, choose_queue(task, self._device))
            try:
                self._send(task, texts, deadline)
                answers = self._collect(task, texts, deadline, timeout_s)
            except (TaskError, Abandoned):
                self._revoke(list(texts))
                raise
        return [codec.decode(answers[name].encode("ascii")) for name in texts]

    def _send(self, task: str, texts: Mapping[str, str], deadline: float) -> None:
        expires = datetime.now(UTC) + timedelta(seconds=deadline - time.monotonic())
        with self._app.producer_or_acquire() as producer:
            for name, text in texts.items():
                if time.monotonic() > deadline:
                    raise DeadlineExceeded(f"{task}: not all of {len(texts)} parts could be sent in time")
                self._app.send_task(
                    task,
                    args=[text, self._hashes],
                    task_id=name,
                    queue=choose_queue(task, self._device),
                    expires=expires,
                    producer=producer,
                    argsrepr="",  # keep the writer's private draft out of logs
                )

    def _collect(
        self, task: str, texts: Mapping[str, str], deadline: float, timeout_s: float
    ) -> dict[str, str]:
        answers: dict[str, str] = {}
        names, queue = list(texts), choose_queue(task, self._device)
        watch = Watch(self._app, task, queue)
        lost, sendings = LostParts(self._app, queue, LOOKS_S.get(task, LOOK_S)), Counter(names)
        answered = time.monotonic()

        def check() -> None:
            check_caller()
            watch.look()
            done = f"{task}: {len(answers)} of {len(names)} parts done"
            if time.monotonic() > deadline:
                raise DeadlineExceeded(f"{done} in {timeout_s:.1f} s")
            if time.monotonic() > answered + STALLED_S:
                raise TaskError(f"{done}, and none of the others in {STALLED_S:.0f} s")
            again = lost.find(name for name in names if name not in answers)
            sendings.update(again)
            if any(sendings[name] > SENDINGS for name in again):
                raise TaskError(f"{task}: a part was lost {SENDINGS} times on its way to a worker")
            self._send(task, {name: texts[name] for name in again}, deadline)

        interval = POLLS_S.get(task, POLL_S)
        for name, message in get_answers(self._app).get_many(names, interval=interval, on_interval=check):
            answers[name] = _answer(task, message)
            answered = time.monotonic()
        with suppress(RedisError):  # responses expire by themselves
            get_answers(self._app).forget_all(names)
        return answers

    def _revoke(self, names: list[str]) -> None:
        with suppress(KombuError, RedisError, OSError):  # tasks and responses expire by themselves too
            self._app.control.revoke(names)
            get_answers(self._app).forget_all(names)


def _answer(task: str, message: Mapping[str, Any]) -> str:
    if message["status"] == states.SUCCESS:
        return str(message["result"])
    if isinstance(message["result"], TaskError):
        raise TaskError(str(message["result"]))
    raise TaskError(f"{task}: {message['status'].lower()}: {message['result']!r}")
