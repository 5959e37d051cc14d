"""`/health` and `/ready`: whether the process lives, and whether it can do its work."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel

from rostrum.api.errors import Refused
from rostrum.api.parts import Parts
from rostrum.service.assemble import Service

router = APIRouter(tags=["health"])
CHECK_TIMEOUT_S = 5.0


class Health(BaseModel):
    """The process lives."""

    status: str = "ok"


class Ready(BaseModel):
    """The archive is published and the models run."""

    status: str = "ok"
    generation: str
    documents: int
    paragraphs: int


@router.get("/health")
async def health() -> Health:
    """Says that the process lives, whatever else is away."""
    return Health()


@router.get("/ready")
def ready(parts: Parts) -> Ready:
    """Says that the archive is published and the models run; 503 says which of them does not."""
    return readiness(parts.service)


def readiness(service: Service) -> Ready:
    """What is ready; models are loaded by it.

    Raises:
        Refused: nothing is published.
        StoreError: the archive cannot be reached.
        TaskError, ModelError: the models do not run.
    """
    published = next((each for each in service.store.generations() if each.published), None)
    if published is None:
        told = "nothing is published: rostrum index PATHS..."
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "nothing_published", told, headers={"Retry-After": "5"})
    service.runner.run("draft", [{"title": "ready", "left": ""}], timeout_s=CHECK_TIMEOUT_S)
    return Ready(generation=published.name, documents=published.documents, paragraphs=published.paragraphs)
