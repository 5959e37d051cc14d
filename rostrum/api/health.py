"""`/health`, `/ready` and `/metrics`: whether the process lives, can do its work, and what it did so far."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from rostrum.api.auth import needs
from rostrum.api.dependencies import Parts
from rostrum.api.errors import Refused
from rostrum.api.keys import KeyScope
from rostrum.service.jobs import Service

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


@router.get("/metrics", response_class=Response, dependencies=[needs(KeyScope.READ)])
def metrics(parts: Parts) -> Response:
    """The counts since the process began, in Prometheus's text format."""
    return Response(parts.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def readiness(service: Service) -> Ready:
    """What is ready; models are loaded by it.

    Raises:
        Refused: nothing is published.
        StoreError: the archive cannot be reached.
        TaskError, ModelError: the models do not run.
    """
    published = service.store.published()
    if published is None:
        told = "nothing is published: rostrum index PATHS..."
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "nothing_published", told, headers={"Retry-After": "5"})
    service.runner.run("draft", [{"title": "ready", "left": ""}], timeout_s=CHECK_TIMEOUT_S)
    return Ready(generation=published.name, documents=published.documents, paragraphs=published.paragraphs)
