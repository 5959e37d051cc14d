"""The HTTP application over one service."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import FastAPI

from rostrum.api import health, recommend
from rostrum.api.capacity import Capacity
from rostrum.api.errors import Error, answer_errors
from rostrum.api.intake import Intake
from rostrum.api.journal import Journal
from rostrum.api.parts import Assembly
from rostrum.service.assemble import Service

BODY_BYTES = 4 << 20
"""Of a body without a limit of its own: a draft at its bounds, every character escaped, is half of it."""


def make_app(service: Service) -> FastAPI:
    """The application. It has no page that loads scripts from elsewhere; `/openapi.json` describes it."""
    app = FastAPI(
        title="Rostrum",
        version=version("rostrum"),
        description="Finds the quote a writer needs: ranked paragraphs with the words worth quoting marked.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses={"4XX": {"model": Error}, "5XX": {"model": Error}},
    )
    app.state.assembly = Assembly(service, Capacity(service.settings.api_concurrency))
    for part in (health, recommend):
        app.include_router(part.router)
    answer_errors(app)
    app.add_middleware(Intake, limit_bytes=BODY_BYTES, limits_bytes={})
    app.add_middleware(Journal)
    return app
