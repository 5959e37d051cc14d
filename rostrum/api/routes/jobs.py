"""`/v1/jobs`: refresh the archive in bulk, on a worker that has the transcripts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Path, Request
from pydantic import AfterValidator, BaseModel, Field

from indexer.metadata import require_read_names
from rostrum.api.edge.auth import ADMIN
from rostrum.api.edge.errors import LOG, RETRY_S, Refused, refuse_missing
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import NoParameters
from rostrum_core.errors import ArchiveBusy, RedisAway, TaskError
from rostrum_core.file_kinds import Kind
from rostrum_core.refresh_jobs import Job, RefreshRequest

router = APIRouter(
    route_class=StrictRoute, prefix="/v1/jobs", tags=["jobs"], dependencies=[ADMIN, NoParameters]
)

Name = Annotated[str, Field(min_length=1, max_length=2_000)]


class RefreshForm(Form):
    """A request to bring the archive up to date.

    `paths` are names and patterns of files and folders within the sources of the worker; none means all of
    them. The other fields are the options of `rostrum refresh`.
    """

    model_config = show_examples({"paths": ["2024/*.jsonl"]})

    paths: list[Name] = Field(default_factory=list, max_length=1_000)
    kind: Kind | None = None
    mirror: bool = False
    fresh: bool = False
    fields: Annotated[dict[Name, Name], Field(max_length=100), AfterValidator(require_read_names)] = Field(
        default_factory=dict
    )

    def request(self) -> RefreshRequest:
        """Convert the form to a request that a worker can carry out."""
        return RefreshRequest(tuple(self.paths), self.kind, self.mirror, self.fresh, self.fields)


class JobListing(BaseModel):
    """The jobs of the last week, the newest first, a hundred at most."""

    jobs: list[Job]


class Jobs(Protocol):
    """Manage refresh jobs; implemented for Redis in `workers.background`, and for one process in
    `archive.local_jobs`.
    """

    def submit(self, request: RefreshRequest) -> Job:
        """Submit a refresh job to the next free worker, and return the job."""

    def list_all(self) -> list[Job]:
        """Return all refresh jobs, the newest first."""

    def find(self, job_id: str) -> Job:
        """Return the refresh job with this id."""

    def cancel(self, job_id: str) -> Job:
        """Cancel a refresh job and return it."""


def get_jobs(request: Request) -> Jobs:
    """Return the object that manages the refresh jobs of this service.

    Raises:
        Refused: the service has neither a Redis nor a folder of transcripts, so it has no jobs.
    """
    jobs: Jobs | None = request.app.state.jobs
    if jobs is None:
        message = (
            "refresh jobs need a Redis and a worker (ROSTRUM_REDIS_URL), or a folder of transcripts on this "
            "machine (ROSTRUM_SOURCES): this service has none of them"
        )
        raise Refused(HTTPStatus.NOT_FOUND, "no_jobs", message)
    return jobs


Book = Annotated[Jobs, Depends(get_jobs)]
JobId = Annotated[str, Path(max_length=100)]


@router.post("", status_code=HTTPStatus.ACCEPTED)
def submit_job(form: RefreshForm, jobs: Book) -> Job:
    """Start a job that updates the archive; one refresh runs at a time."""
    return submit(form.request(), jobs)


def submit(request: RefreshRequest, jobs: Jobs) -> Job:
    """Submit a refresh job, and return it.

    Raises:
        Refused: another job is running, or no worker takes jobs.
        RedisAway: Redis cannot be used.
    """
    try:
        return jobs.submit(request)
    except RedisAway:
        raise
    except ArchiveBusy as error:
        headers = {"Retry-After": str(RETRY_S)}
        raise Refused(HTTPStatus.CONFLICT, "archive_busy", str(error), headers=headers) from error
    except TaskError as error:
        LOG.warning("workers_unavailable", extra={"reason": str(error)})
        headers, message = {"Retry-After": str(RETRY_S)}, "no worker takes refresh jobs just now"
        raise Refused(
            HTTPStatus.SERVICE_UNAVAILABLE, "workers_unavailable", message, headers=headers
        ) from error


@router.get("")
def list_jobs(jobs: Book) -> JobListing:
    """List the jobs."""
    return JobListing(jobs=jobs.list_all())


@router.get("/{job_id}")
def get_job(job_id: JobId, jobs: Book) -> Job:
    """Return a job with its progress or its outcome."""
    with refuse_missing(f"no job {job_id!r} in the last week"):
        return jobs.find(job_id)


@router.delete("/{job_id}")
def cancel_job(job_id: JobId, jobs: Book) -> Job:
    """Cancel a job. A running one ends within seconds; one that is already publishing ends as `done`.

    Published generations stay. A finished job stays unchanged.
    """
    with refuse_missing(f"no job {job_id!r} in the last week"):
        return jobs.cancel(job_id)
