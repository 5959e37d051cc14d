"""Send heartbeats while a worker runs a job for hours, and notice requests to cancel the job."""

from __future__ import annotations

import logging
import threading
import time

from celery import Celery
from redis.exceptions import RedisError

from workers.app import REFRESH, UNACKED_INDEX, get_answers
from workers.background.jobs import Jobs
from workers.presence import renew

INTERVAL_S = 1.0


class Heartbeat:
    """Renew all keys of a running job from a thread; `cancelled` becomes true when the job is cancelled.

    The keys are the job's lease, which excludes other jobs, its heartbeat, and the presence of the worker.
    The thread also renews the start time of the job's message, because Kombu gives a message to another
    worker `VISIBILITY_S` after the message's start time. If Redis is unavailable, nothing is renewed and the
    job continues.
    """

    def __init__(self, app: Celery, jobs: Jobs, job_id: str, delivery_tag: str) -> None:
        self._app, self._jobs, self._job_id, self._tag = app, jobs, job_id, delivery_tag
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.cancelled = False

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(INTERVAL_S):
            try:
                self._renew_all()
            except RedisError as error:
                logging.getLogger(__name__).warning("a job's signs of life were not renewed: %s", error)

    def _renew_all(self) -> None:
        self._jobs.show_life(self._job_id)
        self._jobs.renew(self._job_id)
        renew(self._app, [REFRESH])
        get_answers(self._app).client.zadd(UNACKED_INDEX, {self._tag: time.time()}, xx=True)
        self.cancelled = self.cancelled or self._jobs.is_cancelled(self._job_id)
