"""Report how many messages wait in the queues of a Redis, and which machines take from each queue."""

from __future__ import annotations

from typing import Any

from celery import Celery

from rostrum_core.queue_states import QueueOverview, QueueState
from workers.alive import BEAT, make_key
from workers.app import QUEUES, get_answers
from workers.failures import translate_errors

UNACKED = "unacked"
"""Redis hash of the messages that workers have taken and not finished, for all queues together."""


class Queues:
    """Report the state of the queues of one Redis."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def describe(self) -> QueueOverview:
        """Return the number of waiting messages and the machines of each queue, and whether a scheduler runs.

        Messages that workers have taken and not finished are counted for all queues together.

        Raises:
            RedisAway: Redis cannot be read.
        """
        with translate_errors("queues"):
            client = get_answers(self._app).client
            statuses = tuple(
                QueueState(name, int(client.llen(name)), _find_machines(client, name)) for name in QUEUES
            )
            return QueueOverview(statuses, int(client.hlen(UNACKED)), bool(client.exists(make_key(BEAT))))


def _find_machines(client: Any, queue: str) -> tuple[str, ...]:
    """Return the names of the machines, or containers, with a worker that takes from the queue."""
    prefix = f"{make_key(queue)}@"
    names = (key.decode("utf-8", "replace") for key in client.scan_iter(match=f"{prefix}*", count=1000))
    return tuple(sorted(name.removeprefix(prefix) for name in names))
