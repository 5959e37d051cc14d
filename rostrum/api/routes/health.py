"""`/health`, `/ready` and `/metrics`: report whether the process is alive and ready, and export its
metrics.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from rostrum.api.edge.auth import KNOWN, READ
from rostrum.api.edge.readiness import Ready
from rostrum.api.routes.dependencies import Assembled

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The response of a process that is alive."""

    status: str = "ok"


@router.get("/health", name="health")
async def report_health() -> Health:
    """Report that the process is alive, even if other parts are unavailable."""
    return Health()


@router.get("/ready", name="ready", response_model_exclude_none=True)
async def check_readiness(assembly: Assembled, request: Request) -> Ready:
    """Report whether the archive can be searched and the models run; 503 names the part that failed."""
    readiness = await assembly.readiness.check()
    return readiness if request.scope[KNOWN] else Ready()


@router.get("/metrics", name="metrics", response_class=Response, dependencies=[READ])
def export_metrics(assembly: Assembled) -> Response:
    """Return the counts since the process began, in Prometheus's text format."""
    return Response(assembly.metrics.render(), media_type=CONTENT_TYPE_LATEST)
