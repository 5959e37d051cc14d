"""Read the forms that the pages send.

The body is read before the request waits until the service is free. To notice a disconnect during this
wait, the server reads from the connection, and an unread body would lose parts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import Depends, Request
from starlette.datastructures import FormData, QueryParams

from rostrum.api.edge.errors import Refused, read_media_type
from rostrum.api.edge.unicode import replace_surrogates
from rostrum_core.errors import BadInput

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "")
LONGEST_FIELD = 2_000


async def load_form(request: Request) -> AsyncIterator[None]:
    """Parse the form of a request, and close its files after the response was sent.

    Raises:
        Refused: the body is not a form, for example if a program sends JSON to a page.
    """
    if read_media_type(request) not in KINDS:
        message = "only the form of a page is sent here: /docs lists the addresses for programs"
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message)
    async with request.form():
        yield


FormBody = Depends(load_form)
"""Dependency that must precede `RankingPlace` in a route."""


def read_field(form: FormData | QueryParams, name: str, longest: int = LONGEST_FIELD) -> str:
    """Return the text of a form's field, with the line breaks of Unix; "" if the field is missing.

    Raises:
        BadInput: the field is a file, or longer than `longest`.
    """
    value = form.get(name, "")
    if not isinstance(value, str):
        raise BadInput("is text, not a file", field=name)
    text = str(replace_surrogates(value.replace("\r\n", "\n")))
    if len(text) > longest:
        raise BadInput(f"more than {longest:,} characters", field=name)
    return text
