"""Store refresh jobs in Redis: one runs at a time, and the newest hundred of the last week are kept.

- `rostrum.jobs`: list of the ids, the newest first
- `rostrum.job.ID`: a job as JSON
- `rostrum.cancel.ID`: a request to cancel the job
- `rostrum.refresh`: the lease, with the id of the job that is waiting or running
- `rostrum.alive.ID`: heartbeat of the worker that runs the job

The last two keys expire unless the job's worker renews them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from celery import Celery
from redis.exceptions import LockNotOwnedError, RedisError
from redis.lock import Lock

from rostrum_core.errors import ArchiveBusy, BadInput
from rostrum_core.refresh_jobs import ENDED, Job, JobState, RefreshRequest, decode_job, encode_job
from workers.app import REFRESH, get_answers
from workers.failures import translate_errors
from workers.presence import check_present

EXPIRY_S = 7 * 86_400
MOST_JOBS = 100
LEASE_S = 90
"""Seconds of the lease of a job.

If its worker is killed, the lease excludes other jobs long enough for another worker to resume this one.
"""

ALIVE_S = 5
"""Seconds without a heartbeat after which another worker may resume a job; several heartbeats fit into it."""

LIST, ACTIVE = "rostrum.jobs", "rostrum.refresh"


class StillAtWork(Exception):
    """Raised if the message of a job was delivered again while a worker is still running the job."""


class Jobs:
    """Manage the refresh jobs in one Redis, for callers and for the worker.

    If Redis fails, the methods for callers (`submit`, `enqueue`, `find`, `list_all`, `cancel`) raise
    `TaskError`. The other methods, which are for the worker, raise the errors of the Redis client.
    """

    def __init__(self, app: Celery) -> None:
        self._app = app

    def submit(self, request: RefreshRequest) -> Job:
        """Submit a refresh job for the next worker of the queue `refresh`.

        Raises:
            ArchiveBusy: another job is waiting or running.
            TaskError: no worker takes from the queue.
        """
        with translate_errors("refresh"):
            check_present(self._app, "refresh", REFRESH)
            return self.enqueue(request)

    def enqueue(self, request: RefreshRequest) -> Job:
        """Enqueue a refresh job even if there is no worker; raise `ArchiveBusy` as `submit` does."""
        job = Job(str(uuid4()), request, format_now())
        with translate_errors("refresh"):
            self.keep(job)  # before it takes the lease, so that others can look up the holder
            try:
                holder = self._find_holder(job.id)
                if holder == job.id:
                    self._send(job)
            except Exception as error:  # the lease may be ours all the same: only its response may be lost
                with suppress(RedisError):
                    self.end(job, "failed", error=f"it was not sent to a worker: {error}")
                raise
            if holder != job.id:
                self._client.delete(_make_key(job.id))
                raise ArchiveBusy(_describe_busy(holder))
        return job

    def _find_holder(self, job_id: str) -> str:
        """Return the id of the unfinished job that holds the lease; only one job can hold it.

        If there is no such job, give the lease to the job `job_id`, and return `job_id`.
        """
        while not self._open_lease(job_id).do_acquire(job_id):
            holder = (self._client.get(ACTIVE) or b"").decode()
            [other] = self._read([_make_key(holder)])
            if holder and (other is None or other.state not in ENDED):
                return holder
            with suppress(
                LockNotOwnedError
            ):  # a Redis that stalled took its lease late; or it is free by now
                self._open_lease(holder).release()
        return job_id

    def _send(self, job: Job) -> None:
        self._list(job.id)
        self._app.send_task(REFRESH, task_id=job.id, queue=REFRESH)

    def find(self, job_id: str) -> Job:
        """Return the current state of the job with this id.

        Raises:
            BadInput: no such job exists, or it is older than a week.
        """
        with translate_errors("jobs"):
            [job] = self._read([_make_key(job_id)])
        if job is None:
            raise BadInput(f"there is no job {job_id!r}", field="id")
        return job

    def list_all(self) -> list[Job]:
        """Return all jobs, the newest first."""
        with translate_errors("jobs"):
            jobs = self._read([_make_key(name.decode()) for name in self._client.lrange(LIST, 0, -1)])
        return [job for job in jobs if job is not None]

    def cancel(self, job_id: str) -> Job:
        """Cancel a job: at once, or within seconds if a worker is running it.

        A finished job does not change. A job that is already publishing ends as "done".

        Raises:
            BadInput: no such job exists.
        """
        job = self.find(job_id)
        with translate_errors("jobs"):
            if job.state in ENDED:
                return job
            self._client.set(_make_cancel_key(job_id), 1, ex=EXPIRY_S)
            return job if self._client.exists(_make_alive_key(job_id)) else self.end(job, "cancelled")

    def is_cancelled(self, job_id: str) -> bool:
        """Return whether cancellation of the job was requested."""
        return bool(self._client.exists(_make_cancel_key(job_id)))

    def take(self, job_id: str) -> Job | None:
        """Take a job and mark the job as running; return `None` if there is nothing to run.

        There is nothing to run if the job is finished, missing or cancelled. If the job waited so long that
        another job was started meanwhile, the job fails, and `None` is returned, too.

        Raises:
            StillAtWork: another worker is running the job, for example because Redis delivered the message
                twice after a long outage.
        """
        record = self._client.get(_make_key(job_id))
        job = None if record is None else decode_job(record)
        if job is None or job.state in ENDED:
            return None
        if not self._client.set(_make_alive_key(job_id), 1, nx=True, ex=ALIVE_S):
            raise StillAtWork(f"a worker is at work on {job_id}")
        if self.is_cancelled(job_id):  # its worker was killed before it learned of it
            self.end(job, "cancelled")
            return None
        if not self._is_holding(job_id) and not self._open_lease(job_id).do_acquire(job_id):
            self.end(job, "failed", error="another refresh was begun meanwhile")
            return None
        taken = format_now()
        running = replace(job, state="running", started_at=job.started_at or taken, taken_at=taken)
        return self.keep(replace(running, attempts=job.attempts + 1))

    def keep(self, job: Job) -> Job:
        """Save the job and return it."""
        self._client.set(_make_key(job.id), encode_job(job), ex=EXPIRY_S)
        return job

    def end(self, job: Job, state: JobState, **changes: Any) -> Job:
        """Save the job with its final state, and release its lease, so that the next job may start.

        If Redis lost all data meanwhile, the job is also added to the list of jobs again.
        """
        ended = self.keep(replace(job, state=state, ended_at=format_now(), **changes))
        if self._client.lpos(LIST, job.id) is None:
            self._list(job.id)
        with suppress(LockNotOwnedError):
            self._open_lease(job.id).release()
        return ended

    def renew(self, job_id: str) -> None:
        """Renew the job's lease for another `LEASE_S`; take the lease again if it has expired and is free."""
        lease = self._open_lease(job_id)
        with suppress(LockNotOwnedError):
            lease.do_acquire(job_id) or lease.reacquire()

    def show_life(self, job_id: str) -> None:
        """Renew the heartbeat of the worker that runs the job, for another `ALIVE_S` seconds.

        Until then, no other worker takes the job.
        """
        self._client.set(_make_alive_key(job_id), 1, ex=ALIVE_S)

    def let_go(self, job_id: str) -> None:
        """Delete the heartbeat of the job's worker, so that another worker can take the job at once."""
        self._client.delete(_make_alive_key(job_id))

    def _list(self, job_id: str) -> None:
        self._client.lpush(LIST, job_id)
        self._client.ltrim(LIST, 0, MOST_JOBS - 1)
        self._client.expire(LIST, EXPIRY_S)

    def _open_lease(self, job_id: str) -> Lock:
        lock: Lock = self._client.lock(ACTIVE, timeout=LEASE_S, thread_local=False)
        lock.local.token = job_id.encode()
        return lock

    def _is_holding(self, job_id: str) -> bool:
        return bool(self._client.get(ACTIVE) == job_id.encode())

    def _read(self, keys: list[str]) -> list[Job | None]:
        """Return the current state of the jobs with these keys, read atomically; `None` for a missing job."""
        active, *records = self._client.mget([ACTIVE, *keys])
        return [
            None if record is None else _mark_interrupted(decode_job(record), active) for record in records
        ]

    @property
    def _client(self) -> Any:
        return get_answers(self._app).client


def _mark_interrupted(job: Job, active: bytes | None) -> Job:
    gone = job.state not in ENDED and active != job.id.encode()
    return replace(job, state="interrupted") if gone else job


def _describe_busy(holder: str) -> str:
    return (
        f"refresh job {holder} is at work already: wait for it, or cancel it; if its worker was killed,"
        f" it goes on with the next one, or gives way after {LEASE_S} s"
    )


def format_now() -> str:
    """Return the current time in UTC in ISO 8601, to the second: "2024-05-01T12:00:00+00:00"."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _make_key(job_id: str) -> str:
    return f"rostrum.job.{job_id}"


def _make_alive_key(job_id: str) -> str:
    return f"rostrum.alive.{job_id}"


def _make_cancel_key(job_id: str) -> str:
    return f"rostrum.cancel.{job_id}"
