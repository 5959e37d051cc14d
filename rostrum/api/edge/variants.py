"""Serve variants of requests: addresses with extra slashes, `HEAD`, and clients that refuse compression."""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SLASHES = re.compile("/{2,}")
REFUSED = re.compile(r";\s*q\s*=\s*0(?:\.0{0,3})?\s*$", re.IGNORECASE)


class Slashes:
    """Treat `//v1//rerank/` as `/v1/rerank` if that is one of `paths`; leave other addresses unchanged.

    Ids of documents may contain slashes, which must be kept.
    """

    def __init__(self, app: ASGIApp, *, paths: Collection[str]) -> None:
        self._app, self._paths = app, frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, without the extra slashes of its address."""
        if scope["type"] == "http":
            plain = SLASHES.sub("/", scope["path"]).rstrip("/")
            if plain != scope["path"] and plain in self._paths:
                scope["path"], scope["raw_path"] = plain, plain.encode()
        await self._app(scope, receive, send)


class Head:
    """Answer `HEAD` like `GET`, without the body.

    The request looks like `GET` to the application only; the server and the log see the real method.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a `HEAD` request to the application as a `GET`, and send the response without its body."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            scope["method"] = "HEAD"
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        scope["method"] = "GET"
        try:
            await self._app(scope, receive, send_head)
        finally:
            scope["method"] = "HEAD"


class Compression(GZipMiddleware):
    """Compress responses as Starlette does, unless the client refuses gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, and compress the response if the client accepts gzip."""
        if scope["type"] == "http" and not is_gzip_accepted(Headers(scope=scope).get("accept-encoding", "")):
            headers = MutableHeaders(raw=list(scope["headers"]))
            del headers["accept-encoding"]
            scope["headers"] = headers.raw  # no copy: the log reads the route that is set in it
        await super().__call__(scope, receive, send)


def is_gzip_accepted(accept_encoding: str) -> bool:
    """Return whether the value of an `Accept-Encoding` header names gzip with a quality above 0.

    >>> is_gzip_accepted("br, gzip;q=0.5"), is_gzip_accepted("gzip;q=0, br"), is_gzip_accepted("br")
    (True, False, False)

    Source: RFC 9110, section 12.5.3.
    """
    codings = [coding.strip() for coding in accept_encoding.split(",")]
    return any(
        coding.partition(";")[0].strip().lower() in ("gzip", "x-gzip") and not REFUSED.search(coding)
        for coding in codings
    )
