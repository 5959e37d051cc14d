"""Run refresh jobs inside a service that has no Redis: one at a time, each in its own thread.

Jobs are forgotten after a restart; `archive.history` records their outcome.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from archive.refresh_sources import refresh_sources
from archive.service import Service
from rostrum_core.errors import ArchiveBusy, BadInput, RostrumError
from rostrum_core.refresh_jobs import ENDED, Job, Progress, RefreshRequest

LOG = logging.getLogger(__name__)
MOST_JOBS = 100


class Cancelled(Exception):
    """Stop a job from inside, because its cancellation was requested."""


class LocalJobs:
    """Run refresh jobs for the archive of `service`, reading transcripts from the folder `sources`."""

    def __init__(self, service: Service, sources: Path) -> None:
        self._service, self._sources = service, Path(os.path.abspath(sources))
        self._jobs: dict[str, Job] = {}
        self._guard = threading.Lock()
        self._cancelled: set[str] = set()

    def submit(self, request: RefreshRequest) -> Job:
        """Start a refresh job in a thread of its own, and return the job.

        Raises:
            ArchiveBusy: another job of this process is running.
        """
        now = _format_now()
        job = Job(str(uuid4()), request, now, "running", 1, started_at=now, taken_at=now)
        with self._guard:
            running = next((other.id for other in self._jobs.values() if other.state not in ENDED), None)
            if running is not None:
                raise ArchiveBusy(f"refresh job {running} is at work already: wait for it, or cancel it")
            for old in list(self._jobs)[: 1 - MOST_JOBS]:
                del self._jobs[old]
            self._jobs[job.id] = job
        threading.Thread(target=self._run, args=(job,), name=f"refresh-{job.id}", daemon=True).start()
        return job

    def list_all(self) -> list[Job]:
        """Return the jobs of this process, newest first."""
        with self._guard:
            return list(reversed(self._jobs.values()))

    def find(self, job_id: str) -> Job:
        """Return the job with this id.

        Raises:
            BadInput: this process has no such job.
        """
        with self._guard:
            job = self._jobs.get(job_id)
        if job is None:
            raise BadInput(f"there is no job {job_id!r}", field="id")
        return job

    def cancel(self, job_id: str) -> Job:
        """Request that a running job stops at its next progress report; a finished job stays unchanged.

        Raises:
            BadInput: there is no such job.
        """
        job = self.find(job_id)
        if job.state not in ENDED:
            self._cancelled.add(job_id)
        return job

    def _run(self, job: Job) -> None:
        try:
            writer, keep = self._service.open_writer(), partial(self._keep, job.id)
            outcome = refresh_sources(writer, self._sources, job.request, keep)
            self._change(job.id, state="done", outcome=outcome)
        except Cancelled:
            self._change(job.id, state="cancelled")
        except (RostrumError, OSError, ImportError) as error:
            self._change(job.id, state="failed", error=str(error))
        except Exception as error:
            LOG.exception("a refresh failed unexpectedly")
            self._change(job.id, state="failed", error=repr(error))

    def _keep(self, job_id: str, progress: Progress) -> None:
        if job_id in self._cancelled:
            raise Cancelled
        with self._guard:
            self._jobs[job_id] = replace(self._jobs[job_id], progress=progress)

    def _change(self, job_id: str, **changes: Any) -> None:
        with self._guard:
            self._jobs[job_id] = replace(self._jobs[job_id], ended_at=_format_now(), **changes)


def _format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
