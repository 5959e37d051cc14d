"""Compress responses for clients that accept gzip; a quality of 0 means that they do not."""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

REFUSED = re.compile(r";\s*q\s*=\s*0(?:\.0{0,3})?\s*$", re.IGNORECASE)


class Compression(GZipMiddleware):
    """Compress as Starlette does, except where the client refuses gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and not is_gzip_accepted(Headers(scope=scope).get("accept-encoding", "")):
            headers = MutableHeaders(raw=list(scope["headers"]))
            del headers["accept-encoding"]
            scope["headers"] = headers.raw  # no copy: the log reads the route that is set in it
        await super().__call__(scope, receive, send)


def is_gzip_accepted(accept_encoding: str) -> bool:
    """Return whether a list of content codings names gzip, and not with a quality of 0.

    >>> is_gzip_accepted("br, gzip;q=0.5"), is_gzip_accepted("gzip;q=0, br"), is_gzip_accepted("br")
    (True, False, False)

    Source: RFC 9110, section 12.5.3.
    """
    codings = [coding.strip() for coding in accept_encoding.split(",")]
    return any(
        coding.partition(";")[0].strip().lower() in ("gzip", "x-gzip") and not REFUSED.search(coding)
        for coding in codings
    )
