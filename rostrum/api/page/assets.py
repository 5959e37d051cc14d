"""`/static/NAME`: serve styles and scripts of the pages."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from starlette.responses import Response

from rostrum.api.edge.errors import Refused
from rostrum.api.page.static_files import find_static_file

router = APIRouter(include_in_schema=False)
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


@router.get("/static/{name}")
async def get_static_file(name: str) -> Response:
    """Return a static file. Its name changes with its content, so it may be cached for ever."""
    match = find_static_file(name)
    if match is None:
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", "there is no such address here")
    return Response(match.data, media_type=match.media_type, headers=FOR_EVER)
