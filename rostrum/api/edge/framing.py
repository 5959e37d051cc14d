"""Refuse requests that parsers may read in two ways: an ambiguous length, or a line end in the address."""

from __future__ import annotations

import re
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from rostrum.api.edge.errors import Refused, answer_to

CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Framing:
    """Refuse a request whose length or address is ambiguous.

    With both `Content-Length` and `Transfer-Encoding`, a proxy may read another length than we do; the
    connection is closed. Regular expressions, such as those of routes, ignore a line end at the end of an
    address, so that `/a%0A` would match as `/a`.

    Source: RFC 9112, section 6.1.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        fault = _find_fault(scope) if scope["type"] == "http" else None
        if fault is not None:
            await answer_to(fault)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _find_fault(scope: Scope) -> Refused | None:
    if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
        message = "Content-Length and Transfer-Encoding contradict each other: send one of them"
        return Refused(HTTPStatus.BAD_REQUEST, "malformed", message, headers={"Connection": "close"})
    if CONTROL.search(scope["path"]):
        return Refused(HTTPStatus.NOT_FOUND, "not_found", "there is no such address here")
    return None
