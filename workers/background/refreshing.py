"""Run refresh jobs one at a time, and resume jobs of killed workers.

The function that updates the archive is defined in a higher package, and is passed to the worker.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from celery import Celery, Task
from celery.app.task import Context
from celery.exceptions import Reject, WorkerShutdown, WorkerTerminate
from celery.worker.state import maybe_shutdown
from redis.exceptions import RedisError

from rostrum_core.errors import ArchiveBusy, Overtaken, RostrumError, TaskError
from rostrum_core.refresh_jobs import Job, JobState, Progress, RefreshOutcome, RefreshRequest
from workers.app import REFRESH, SCHEDULE
from workers.background.heartbeat import Heartbeat
from workers.background.jobs import ALIVE_S, Jobs, StillAtWork
from workers.serving import serve

Tell = Callable[[Progress], None]
Refresh = Callable[[RefreshRequest, Tell], RefreshOutcome]

MOST_ATTEMPTS = 20  # of workers that died during a job: each got further, or one more would not either
KEPT_EVERY_S = 0.5
LOCK_WAIT_S = 45.0
"""Seconds to wait for the archive's lock of a killed worker; OpenSearch keeps it for half a minute."""
MOST_OVERTAKEN = 3
RETRY_S = 1.0
REDIS_WAIT_S = 300.0  # of a finished job, while Redis is away

LOG = logging.getLogger(__name__)


class Cancelled(Exception):
    """Raised inside a job when its cancellation was requested."""


class Leaving(Exception):
    """Raised inside a job when the worker was asked to stop; another worker resumes the job."""


@dataclass(frozen=True, slots=True)
class FinalState:
    """Hold the final state of a refresh job, and its outcome or error."""

    state: JobState
    outcome: RefreshOutcome | None = None
    error: str | None = None


class RefreshWorker:
    """Run the refresh jobs of one Redis in this process, one at a time.

    The function `refresh` does the work of a job.
    """

    queues = (REFRESH,)

    def __init__(self, app: Celery, refresh: Refresh) -> None:
        self._app, self._refresh, self._jobs = app, refresh, Jobs(app)

        def work(task: Task[[], None]) -> None:
            self._work(task.request)

        app.task(name=REFRESH, bind=True, ignore_result=True)(work)
        app.task(name=SCHEDULE, ignore_result=True)(self._enqueue)

    def serve(self, ready: Callable[[], None]) -> None:
        """Run jobs until SIGTERM or SIGINT; return a running job to the queue for another worker to resume.

        Raises:
            TaskError: Celery failed.
        """
        if code := serve(self._app, self.queues, concurrency=1, ready=ready):
            raise TaskError(f"the worker ended with exit code {code}: the log says why")

    def _enqueue(self, request: dict[str, Any]) -> None:
        """Enqueue a scheduled refresh, unless the previous one is still running."""
        try:
            self._jobs.enqueue(RefreshRequest(**request))
        except ArchiveBusy as error:
            LOG.warning("a scheduled refresh is left out: %s", error)

    def _work(self, message: Context) -> None:
        job = self._take(message.id or "")
        if job is None:
            return
        if job.attempts > MOST_ATTEMPTS:
            self._end(job, FinalState("failed", error=f"{MOST_ATTEMPTS} workers were lost over it"))
            return
        tag = (message.properties or {})["delivery_tag"]
        with Heartbeat(self._app, self._jobs, job.id, tag) as heartbeat:
            running = _RunningJob(self._jobs, job, heartbeat)
            ending = self._describe_end(running)
        if ending is None:
            with suppress(RedisError):  # the message alone makes another worker resume it
                self._jobs.keep(replace(running.job, state="waiting"))
                self._jobs.let_go(job.id)
            raise Reject("the worker leaves", requeue=True)
        self._end(running.job, ending)

    def _take(self, job_id: str) -> Job | None:
        """Take the job whose message came from the queue; return `None` if there is nothing to run.

        Raises:
            Reject: Redis does not respond, or another worker is still running the job. The message returns
                to the queue, because the job would be lost if that worker died.
        """
        try:
            return self._jobs.take(job_id)
        except StillAtWork as error:
            time.sleep(ALIVE_S)
            raise Reject(error, requeue=True) from error
        except RedisError as error:
            LOG.warning("a job goes back to its queue: %s", error)
            time.sleep(RETRY_S)
            raise Reject(error, requeue=True) from error

    def _end(self, job: Job, ending: FinalState) -> None:
        """Save the final state of a job.

        Retry until Redis can be written to, so that finished work is not repeated.
        """
        deadline = time.monotonic() + REDIS_WAIT_S
        while True:
            try:
                self._jobs.end(job, ending.state, outcome=ending.outcome, error=ending.error)
                return
            except RedisError as error:
                LOG.warning("the end of a job waits for Redis: %s", error)
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_S)

    def _describe_end(self, running: _RunningJob) -> FinalState | None:
        """Run the job and return its final state; return `None` if another worker will resume the job."""
        try:
            return FinalState("done", self._perform(running))
        except Cancelled:
            return FinalState("cancelled")
        except Leaving:
            return None
        except (RostrumError, OSError, ImportError) as error:
            return FinalState("failed", error=str(error))
        except Exception as error:
            LOG.exception("a refresh failed unexpectedly")
            return FinalState("failed", error=repr(error))

    def _perform(self, running: _RunningJob) -> RefreshOutcome:
        """Run the refresh of a job and return its outcome.

        A resumed job first waits at most `LOCK_WAIT_S` for the previous worker's lock on the archive. If
        another writer, such as an upload, published meanwhile, the refresh is started again.
        """
        deadline = time.monotonic() + (LOCK_WAIT_S if running.job.attempts > 1 else 0)
        overtaken = 0
        while True:
            try:
                return self._refresh(running.job.request, running.report)
            except Overtaken:
                overtaken += 1
                if overtaken > MOST_OVERTAKEN:
                    raise
            except ArchiveBusy:
                if time.monotonic() > deadline:
                    raise
                running.report(running.job.progress)
                time.sleep(RETRY_S)


class _RunningJob:
    """Track a refresh job that this process runs: its progress, and whether it must stop."""

    def __init__(self, jobs: Jobs, job: Job, heartbeat: Heartbeat) -> None:
        self.job, self._jobs, self._heartbeat = replace(job, progress=Progress()), jobs, heartbeat
        self._kept = time.monotonic()

    def report(self, progress: Progress) -> None:
        """Save the progress of the job, and raise an exception if the job must stop.

        The heartbeat notices a cancellation up to a second late. If there is no new progress, the refresh may
        be about to publish. So then also look up in Redis whether the job was cancelled.

        Raises:
            Cancelled, Leaving: the job must stop.
        """
        if self._heartbeat.cancelled or (progress == self.job.progress and self._is_cancelled()):
            raise Cancelled
        try:
            maybe_shutdown()
        except (WorkerShutdown, WorkerTerminate) as asked:
            raise Leaving from asked
        self.job = replace(self.job, progress=progress)
        if time.monotonic() > self._kept + KEPT_EVERY_S:
            with suppress(RedisError):  # the heartbeat reports it; the work continues without it
                self._jobs.keep(self.job)
            self._kept = time.monotonic()

    def _is_cancelled(self) -> bool:
        with suppress(RedisError):
            return self._jobs.is_cancelled(self.job.id)
        return False
