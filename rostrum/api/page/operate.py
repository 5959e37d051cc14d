"""`/operate`: the page Operate. It shows an operator the state of the service, with a few actions.

After an action, the browser is redirected to the page, so that reloading the page does not repeat the action.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from rich.filesize import decimal
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from archive.canary.comparison import Comparison
from archive.canary.saved_drafts import SavedDraft
from jobs.drafts import parse_draft
from jobs.filters import check_known
from jobs.recommend.job import check_draft
from rostrum.api.edge.auth import ADMIN
from rostrum.api.edge.capacity import get_client_name
from rostrum.api.edge.errors import Refused
from rostrum.api.page.forms import read_field
from rostrum.api.page.rendering import render
from rostrum.api.routes import canary, dead_letters, jobs, publications
from rostrum.api.routes.dependencies import Assembled, Assembly, NoParameters
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum_core.errors import BadInput, RostrumError
from rostrum_core.refresh_jobs import ENDED, RefreshRequest
from rostrum_core.types import Filter

router = APIRouter(include_in_schema=False, dependencies=[ADMIN])
DONE: Final = ("published", "rolled_back", "refresh", "cancelled", "retried", "saved", "removed")
"""Names of finished actions, for addresses; the texts are in `text.toml`."""

LONGEST_PATHS: Final = 4_000
POLL_S: Final = 5


async def read_form(request: Request) -> FormData:
    """Read the form that a request to the page Operate sends."""
    return await request.form()


Form = Annotated[FormData, Depends(read_form)]


@router.get("/operate")
async def show_operate(request: Request, assembly: Assembled) -> Response:
    """Show the overview; with the parameter `compare`, also compare a ready generation on the saved
    drafts.
    """
    done, generation = request.query_params.get("done"), request.query_params.get("compare")
    comparison, problem = None, None
    if generation:
        comparison, problem = await _compare(generation[:100], request, assembly)
    return await _show(request, done=done, comparison=comparison, problem=problem)


@router.post("/operate/publish", dependencies=[NoParameters])
async def publish(request: Request, form: Form, assembly: Assembled) -> Response:
    """Publish a generation. If saved drafts block it, show the comparison."""
    name, force = read_field(form, "generation"), read_field(form, "force") == "1"
    async with assembly.places.writing.place(get_client_name(request.scope)):
        act = partial(publications.publish, assembly, request, name, force=force)
        return await _perform(request, "published", act, compare=name)


@router.post("/operate/rollback", dependencies=[NoParameters])
async def roll_back(request: Request, assembly: Assembled) -> Response:
    """Publish the generation from which the published one began."""
    async with assembly.places.writing.place(get_client_name(request.scope)):
        return await _perform(request, "rolled_back", partial(publications.publish, assembly, request, None))


@router.post("/operate/refresh", dependencies=[NoParameters])
async def refresh(request: Request, form: Form) -> Response:
    """Start a refresh job over all sources, or over those that the form names, one on a line."""
    paths = [path.strip() for path in read_field(form, "paths", LONGEST_PATHS).splitlines() if path.strip()]
    job_request = RefreshRequest(tuple(paths), mirror=read_field(form, "mirror") == "1")
    return await _perform(request, "refresh", lambda: jobs.submit(job_request, jobs.get_jobs(request)))


@router.post("/operate/cancel", dependencies=[NoParameters])
async def cancel(request: Request, form: Form) -> Response:
    """Cancel a refresh job."""
    job_id = read_field(form, "job")
    return await _perform(request, "cancelled", lambda: jobs.get_jobs(request).cancel(job_id))


@router.post("/operate/retry", dependencies=[NoParameters])
async def retry(request: Request) -> Response:
    """Start a refresh job over the files that the last one refused."""
    overviews = dead_letters.get_overviews(request)
    return await _perform(
        request, "retried", lambda: dead_letters.retry(jobs.get_jobs(request), overviews.read_letters())
    )


@router.post("/operate/save", dependencies=[NoParameters])
async def save(request: Request, form: Form, assembly: Assembled) -> Response:
    """Save a draft for comparisons."""
    return await _perform(request, "saved", partial(_save, form, assembly))


@router.post("/operate/remove", dependencies=[NoParameters])
async def remove(request: Request, form: Form, assembly: Assembled) -> Response:
    """Remove a saved draft."""
    name = read_field(form, "name")
    return await _perform(request, "removed", lambda: canary.open_drafts(assembly).remove(name))


def _save(form: FormData, assembly: Assembly) -> None:
    draft = parse_draft(read_field(form, "text", LONGEST_TEXT))
    check_draft(draft)
    expect = tuple(
        name.strip() for name in read_field(form, "expect", LONGEST_PATHS).splitlines() if name.strip()
    )
    check_known(assembly.service.store, Filter(documents=expect))
    saved = SavedDraft(read_field(form, "name").strip(), draft, expect=expect)
    canary.open_drafts(assembly).save(saved)


async def _perform(
    request: Request, done: str, act: Callable[[], object], *, compare: str | None = None
) -> Response:
    """Run an action of the page Operate, and redirect the browser back to the page.

    The page shows errors that a person can correct. If saved drafts block a generation from being published,
    the page shows the comparison of their results.
    """
    try:
        await run_in_threadpool(act)
    except Refused as error:
        if error.code == "withheld" and compare is not None:
            return _lead_back({"compare": compare, "done": "withheld"})
        return await _show(request, problem=str(error.detail), status=error.status_code)
    except BadInput as error:
        return await _show(request, problem=str(error), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    except RostrumError as error:
        return await _show(request, problem=str(error), status=HTTPStatus.SERVICE_UNAVAILABLE)
    return _lead_back({"done": done})


def _lead_back(parameters: dict[str, str]) -> Response:
    return RedirectResponse(f"/operate?{urlencode(parameters)}", HTTPStatus.SEE_OTHER)


async def _compare(
    generation: str, request: Request, assembly: Assembly
) -> tuple[Comparison | None, str | None]:
    try:
        async with assembly.places.ranking.place(get_client_name(request.scope)):
            return await run_in_threadpool(canary.compare, generation, assembly), None
    except Refused as error:
        return None, str(error.detail)
    except RostrumError as error:
        return None, str(error)


async def _show(
    request: Request,
    *,
    done: str | None = None,
    comparison: Comparison | None = None,
    problem: str | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    overview = await run_in_threadpool(dead_letters.get_overviews(request).make)
    running = [job for job in overview.jobs or () if job.job.state not in ENDED]
    return render(
        request,
        "operate.html",
        status=status,
        overview=overview,
        done=done if done in (*DONE, "withheld") else None,
        comparison=comparison,
        problem=problem,
        running=running,
        published=next((one.name for one in overview.generations or () if one.published), None),
        poll_s=POLL_S if running else 0,
        describe_size=decimal,
        describe_duration=describe_duration,
        link=lambda document_id: f"/documents/{quote(document_id, safe='')}",
    )


def describe_duration(time_s: float) -> str:
    """Format a duration for people.

    >>> [describe_duration(time_s) for time_s in (0.4, 59, 61, 3_700, 90_000)]
    ['under a second', '59 s', '1 min 1 s', '1 h 1 min', '25 h 0 min']
    """
    if time_s < 1:
        return "under a second"
    minutes, seconds = divmod(round(time_s), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
