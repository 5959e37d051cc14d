"""Track which queues have workers, so that a caller fails at once if there is no worker for its task.

Every worker regularly renews a key in Redis for each of its queues (`workers.alive`). A key that is no longer
renewed expires.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from itertools import count
from typing import Any

from celery import Celery, bootsteps
from celery.worker import state
from celery.worker.consumer.tasks import Tasks
from redis.exceptions import OutOfMemoryError, RedisError

from rostrum_core.errors import TaskError
from workers.alive import make_key, show_life
from workers.app import get_answers

LOG = logging.getLogger(__name__)
RENEWED_S = 5.0
FULL_S = 1.0  # interval between two checks whether a full Redis has room
ABSENCE_S = 60.0  # a killed worker may be back by then, and a part of it goes to another


def is_present(app: Celery, queue: str) -> bool:
    """Return whether a worker takes from `queue`, or did so within the last `EXPIRY_S` seconds."""
    return bool(get_answers(app).client.exists(make_key(queue)))


def check_present(app: Celery, task: str, queue: str) -> None:
    """Raise TaskError unless a worker takes from `queue`.

    Raises:
        TaskError: there is no worker, so the task would wait in vain.
    """
    if not is_present(app, queue):
        raise TaskError(f"{task}: no worker takes from the queue {queue}")


class Watch:
    """Check, while a call waits for its responses, that a worker still takes from the call's queue."""

    def __init__(self, app: Celery, task: str, queue: str) -> None:
        self._app, self._task, self._queue = app, task, queue
        self._seen = self._looked = time.monotonic()

    def look(self) -> None:
        """Check that a worker takes from the queue to which the call was sent.

        Do nothing if the last check was less than `RENEWED_S` seconds ago.

        Raises:
            TaskError: no worker was present for `ABSENCE_S` seconds.
        """
        now = time.monotonic()
        if now < self._looked + RENEWED_S:
            return
        self._looked = now
        if is_present(self._app, self._queue):
            self._seen = now
        elif now > self._seen + ABSENCE_S:
            raise TaskError(f"{self._task}: no worker takes from the queue {self._queue} any more")


def renew(app: Celery, queues: Iterable[str]) -> None:
    """Renew the keys that show that a worker takes from these queues, for another `EXPIRY_S` seconds."""
    for queue in queues:
        show_life(get_answers(app).client, queue)


class Presence(bootsteps.StartStopStep):
    """Renew the keys in Redis that show that the worker takes from its queues, while it is connected.

    Celery runs this class as a step of the worker.
    """

    requires = (Tasks,)

    def __init__(self, consumer: Any, **_: Any) -> None:
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        """Show callers that this worker takes tasks: renew a key in Redis for each of its queues, at once and
        then every `RENEWED_S` seconds.

        The worker calls this after each connection, and takes tasks only afterwards. If Redis is full, this
        method waits until it has room. A full Redis could not record that a message was taken, so the message
        would be lost.
        """
        self._wait_for_room(consumer.app)
        self._renew(consumer.app)
        self._timer = consumer.timer.call_repeatedly(RENEWED_S, self._renew, (consumer.app,))

    def stop(self, consumer: Any) -> None:
        """Stop renewing the keys of the worker's queues."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait_for_room(self, app: Celery) -> None:
        for attempt in count():
            try:
                renew(app, app.amqp.queues.consume_from)
                return
            except OutOfMemoryError as error:
                if not attempt:
                    LOG.error("Redis is full, no work is taken until it has room: %s", error)
                state.maybe_shutdown()
                time.sleep(FULL_S)
            except RedisError:  # the worker reconnects by itself
                return

    def _renew(self, app: Celery) -> None:
        try:
            renew(app, app.amqp.queues.consume_from)
        except RedisError as error:  # the worker reconnects and starts again by itself
            LOG.warning("presence was not renewed: %s", error)
