"""Detect lost tasks: those of a call that have no response and are neither in a queue nor at a worker.

If the machine of a waiting worker is frozen or unplugged, Redis still sends the next message to that worker.
Redis removes the message from the queue, and nothing records which worker has the message. Tasks are pure
functions, so they can be sent again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from celery import Celery

from workers.app import get_answers

LOOKS_S = {"encode": 5.0}
"""Seconds between two checks, by task."""

LOOK_S = 1.0
UNACKED = "unacked"
"""Kombu's Redis hash of the messages that workers have taken and not finished."""

MISSING = """
local messages = redis.call('LRANGE', KEYS[1], 0, -1)
for _, message in ipairs(redis.call('HVALS', KEYS[2])) do messages[#messages + 1] = message end
local missing = {}
for _, id in ipairs(ARGV) do
  local there = false
  for _, message in ipairs(messages) do
    if string.find(message, id, 1, true) then there = true; break end
  end
  if not there then missing[#missing + 1] = id end
end
return missing
"""


class LostParts:
    """Find the tasks of one call that are lost, so that they would never get a response.

    `interval_s` is the time between two checks.
    """

    def __init__(self, app: Celery, queue: str, interval_s: float) -> None:
        self._client, self._queue, self._interval_s = get_answers(app).client, queue, interval_s
        self._looked, self._missing = time.monotonic(), set[str]()

    def find(self, unanswered: Iterable[str]) -> list[str]:
        """Return the ids of lost tasks: those that were missing at this check and at the previous check.

        `unanswered` are the ids of tasks without a response. One check is not enough, because a task is
        missing for a moment while a worker takes the task, and again between the task's end and its response.
        A call within `interval_s` after the last check does not check, and returns an empty list.
        """
        now = time.monotonic()
        if now < self._looked + self._interval_s:
            return []
        self._looked = now
        names = list(unanswered)
        names_missing = self._client.eval(MISSING, 2, self._queue, UNACKED, *names)
        missing = {name.decode() if isinstance(name, bytes) else name for name in names_missing}
        lost = [name for name in names if name in missing & self._missing]
        self._missing = missing - set(lost)
        return lost
