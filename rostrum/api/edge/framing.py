"""Refuse requests that two HTTP parsers may read differently, and requests whose headers are too large."""

from __future__ import annotations

import re
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from rostrum.api.edge.errors import Refused, answer_to

LARGEST_HEAD_BYTES = 1 << 16
"""Most bytes of address and headers together. h11 limits only heads that arrive in several pieces."""

ABSOLUTE = re.compile(r"(?i:https?)://([^/?#]*)(.*)")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Framing:
    """Refuse a request with an ambiguous length or address, with headers that are too large, or with a
    compressed body.

    If a request has both `Content-Length` and `Transfer-Encoding`, a proxy may read another length than this
    server, so the connection is closed. Addresses with control characters are refused, too, because regular
    expressions, such as those of routes, ignore a line break at the end: `/a%0A` would match as `/a`.

    If the address is a whole URL, its path becomes the address, and its host replaces the `Host` header.

    Source: RFC 9112, sections 3.2.2 and 6.1; RFC 9110, section 8.4.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, unless its length, address or headers are refused."""
        fault = _find_fault(scope) if scope["type"] == "http" else None
        if fault is not None:
            await answer_to(fault)(scope, receive, send)
            return
        if scope["type"] == "http":
            _read_absolute(scope)
        await self._app(scope, receive, send)


def _read_absolute(scope: Scope) -> None:
    """Split an address that is a whole URL into path and host: `http://a.example/b` -> `/b` and `a.example`.

    Both are set in the request's ASGI `scope`, the host as the `Host` header. The log reads the same scope,
    so it has the changed values, too.
    """
    match = ABSOLUTE.fullmatch(scope["path"])
    if match is None:
        return
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers["host"] = match[1]
    path = match[2] or "/"
    scope.update({"path": path, "raw_path": path.encode(), "headers": headers.raw})


def _find_fault(scope: Scope) -> Refused | None:
    if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
        message = "Content-Length and Transfer-Encoding contradict each other: send one of them"
        return Refused(HTTPStatus.BAD_REQUEST, "malformed", message, headers={"Connection": "close"})
    sizes = (len(name) + len(value) for name, value in scope["headers"])
    if sum(sizes, len(scope.get("raw_path") or b"") + len(scope["query_string"])) > LARGEST_HEAD_BYTES:
        message = f"address and headers are larger than {LARGEST_HEAD_BYTES} bytes"
        return Refused(HTTPStatus.BAD_REQUEST, "malformed", message)
    encodings = ",".join(Headers(scope=scope).getlist("content-encoding")).lower().split(",")
    if any(encoding.strip() not in ("", "identity") for encoding in encodings):
        message = "send the body as it is, not compressed: no Content-Encoding is read"
        return Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    if CONTROL.search(scope["path"]):
        return Refused(HTTPStatus.NOT_FOUND, "not_found", "there is no such address here")
    return None
