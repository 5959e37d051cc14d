"""`/v1/operate`: the state of the service for its operator, as the page Operate shows it, in JSON."""

from __future__ import annotations

from fastapi import APIRouter, Request

from rostrum.api.edge.auth import ADMIN
from rostrum.api.overview import Overview
from rostrum.api.routes.dead_letters import get_overviews
from rostrum.api.routes.dependencies import NoParameters

router = APIRouter(prefix="/v1/operate", tags=["health"], dependencies=[ADMIN, NoParameters])


@router.get("")
def get_overview(request: Request) -> Overview:
    """Return what an operator looks at: archive, jobs, dead letters, workers, models, drafts, history."""
    return get_overviews(request).make()
