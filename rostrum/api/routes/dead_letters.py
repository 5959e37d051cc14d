"""`/v1/dead-letters`: list inputs that the last refresh could not read, and retry them."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from indexer.dead_letters import DeadLetter
from rostrum.api.edge.auth import ADMIN
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.overview import Cause, Overviews, count_letters, list_retryable
from rostrum.api.routes.dependencies import NoParameters, forbid_repeats
from rostrum.api.routes.jobs import Book, Jobs, submit
from rostrum_core.refresh_jobs import Job, RefreshRequest

router = APIRouter(route_class=StrictRoute, prefix="/v1/dead-letters", tags=["jobs"], dependencies=[ADMIN])
MOST_RETRIED = 1_000


class LetterQuery(BaseModel):
    """The requested page of the dead letters, which are inputs that could not be read."""

    model_config = ConfigDict(extra="forbid")

    limit: Annotated[int, Field(ge=1, le=1_000)] = 100
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class LetterListing(BaseModel):
    """Inputs that the last refresh could not read (dead letters), and their number by cause."""

    total: int
    causes: list[Cause]
    letters: list[DeadLetter]


@router.get("", dependencies=[forbid_repeats(LetterQuery)])
def list_dead_letters(query: Annotated[LetterQuery, Query()], request: Request) -> LetterListing:
    """List inputs that the last refresh could not read, with the reasons."""
    letters = get_overviews(request).read_letters()
    shown = letters[query.offset : query.offset + query.limit]
    counted = count_letters(letters)
    return LetterListing(total=counted.total, causes=list(counted.causes), letters=shown)


@router.post("/retry", status_code=HTTPStatus.ACCEPTED, dependencies=[NoParameters])
def retry_dead_letters(jobs: Book, request: Request) -> Job:
    """Start a job that reads the refused files again, at most 1,000, with the options of the last job."""
    return retry(jobs, get_overviews(request).read_letters())


def get_overviews(request: Request) -> Overviews:
    """Return the object of this application that builds the operator's overviews."""
    overviews: Overviews = request.app.state.overview
    return overviews


def retry(jobs: Jobs, letters: list[DeadLetter]) -> Job:
    """Submit a refresh job that reads refused files again, at most `MOST_RETRIED` of them.

    `letters` are the inputs that the last refresh could not read; only files among them are read again. The
    job has the options of the last job, but it never deletes documents.

    Raises:
        Refused: no file was refused, or the job cannot be submitted.
    """
    paths = list_retryable(letters)[:MOST_RETRIED]
    if not paths:
        raise Refused(HTTPStatus.CONFLICT, "nothing_refused", "the last refresh refused no file")
    last = next(iter(jobs.list_all()), None)
    request = replace(last.request, mirror=False, fresh=False) if last else RefreshRequest()
    return submit(replace(request, paths=tuple(paths)), jobs)
