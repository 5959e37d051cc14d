"""Report the waiting messages in the queues of a Redis, and which machines take from them."""

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
    """Describe the queues of one Redis."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def describe(self) -> QueueOverview:
        """Return the state of all queues.

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
    """Return the names of the machines, or containers, whose workers renewed the queue's key."""
    prefix = f"{make_key(queue)}@"
    names = (key.decode("utf-8", "replace") for key in client.scan_iter(match=f"{prefix}*", count=1000))
    return tuple(sorted(name.removeprefix(prefix) for name in names))
