"""Read the body of a form before a place is taken: who waits for the client to leave reads no body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import Depends, Request

from rostrum.api.edge.errors import Refused, read_media_type

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "")


async def load_form(request: Request) -> AsyncIterator[None]:
    """Read the form of a request, which keeps it until its response is sent, and its files no longer.

    Raises:
        Refused: the body is no form, such as that of a program which asks a wrong address.
    """
    if read_media_type(request) not in KINDS:
        message = "only the form of a page is sent here: /docs lists the addresses for programs"
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message)
    async with request.form():
        yield


FormBody = Depends(load_form)
"""Stands before `RankingPlace` among the dependencies of a route."""
