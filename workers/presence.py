"""Which queues somebody works at: a key in Redis for each, renewed by every worker that takes from it.

With it a caller need not wait out its deadline to learn that there is no worker at all.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import Celery, bootsteps
from celery.worker.consumer.tasks import Tasks
from redis.exceptions import RedisError

from workers.app import answers_of

RENEWED_S = 5.0
EXPIRY_S = 20  # a solo worker renews between two tasks only, and the longest takes some seconds


def present(app: Celery, queue: str) -> bool:
    """Whether a worker takes from `queue`, or did so less than `EXPIRY_S` ago."""
    return bool(answers_of(app).client.exists(_key(queue)))


def _key(queue: str) -> str:
    return f"rostrum.worker.{queue}"


class Presence(bootsteps.StartStopStep):
    """The step of a worker that renews the keys of its queues while it is connected."""

    requires = (Tasks,)

    def __init__(self, consumer: Any, **_: Any) -> None:
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        """Renews at once and from then on; again after each reconnection."""
        self._renew(consumer.app)
        self._timer = consumer.timer.call_repeatedly(RENEWED_S, self._renew, (consumer.app,))

    def stop(self, consumer: Any) -> None:
        """Renews no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _renew(self, app: Celery) -> None:
        try:
            for queue in app.amqp.queues.consume_from:
                answers_of(app).client.set(_key(queue), 1, ex=EXPIRY_S)
        except RedisError as error:  # the worker reconnects by itself and begins anew
            logging.getLogger(__name__).warning("presence was not renewed: %s", error)
