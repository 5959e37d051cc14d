"""`/v1/generations`: list the generations (versions) of the archive, and choose the one that readers see."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from archive.canary.comparison import Comparison
from archive.canary.gate import publish_generation
from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import ADMIN
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, Assembly, NoParameters, WritingPlace
from rostrum_core.errors import NoSuchGeneration, Withheld
from rostrum_core.types import Generation

router = APIRouter(
    route_class=StrictRoute,
    prefix="/v1/generations",
    tags=["generations"],
    dependencies=[ADMIN, NoParameters],
)
GenerationName = Annotated[str, Path(max_length=100, description="The name of the generation")]


class PublishForm(Form):
    """A request to publish a generation; `force` publishes it even if saved drafts lose their top results."""

    model_config = show_examples({"force": False})

    force: bool = False


class GenerationListing(BaseModel):
    """The generations (versions) of the archive, the oldest first."""

    generations: list[Generation]


class Publication(BaseModel):
    """The generation that readers see now, and the comparison of the saved drafts, if they were compared."""

    published: Generation
    comparison: Comparison | None


@router.get("")
def list_generations(assembly: Assembled) -> GenerationListing:
    """List the generations that are stored."""
    return GenerationListing(generations=assembly.service.store.generations())


@router.post("/rollback", dependencies=[WritingPlace])
async def rollback_generation(assembly: Assembled, request: Request) -> Publication:
    """Publish the generation from which the published one began, without comparing saved drafts."""
    return await run_in_threadpool(publish, assembly, request, None)


@router.post("/{name}/publish", dependencies=[WritingPlace])
async def publish_one(
    name: GenerationName, form: PublishForm, assembly: Assembled, request: Request
) -> Publication:
    """Publish a ready generation; if drafts are saved, their top results are compared first."""
    return await run_in_threadpool(publish, assembly, request, name, force=form.force)


def publish(assembly: Assembly, request: Request, name: str | None, *, force: bool = False) -> Publication:
    """Publish a generation (version) of the archive, or the previous one if `name` is `None`.

    Raises:
        Refused: there is no such generation, or the comparison of saved drafts blocks it.
    """
    service = assembly.service
    try:
        shown, comparison = publish_generation(
            service.settings, service.store, name, lambda: service, force=force
        )
    except NoSuchGeneration as error:
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", str(error)) from error
    except Withheld as error:
        raise Refused(HTTPStatus.CONFLICT, "withheld", str(error)) from error
    note(request.scope, generation=shown.name, forced=force)
    return Publication(published=shown, comparison=comparison)
