"""Read the body of a form before the request waits for a free place.

During the wait, the server reads from the request to notice a disconnect, and would lose parts of the body.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import Depends, Request

from rostrum.api.edge.errors import Refused, read_media_type

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "")


async def load_form(request: Request) -> AsyncIterator[None]:
    """Parse the form of a request, and close its files after the response was sent.

    Raises:
        Refused: the body is not a form, such as that of a program that uses a wrong address.
    """
    if read_media_type(request) not in KINDS:
        message = "only the form of a page is sent here: /docs lists the addresses for programs"
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message)
    async with request.form():
        yield


FormBody = Depends(load_form)
"""Dependency that must precede `RankingPlace` in a route."""
