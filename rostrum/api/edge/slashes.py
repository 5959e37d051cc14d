"""Accept addresses of rerank clients with extra slashes, in the middle or at the end."""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

SLASHES = re.compile("/{2,}")


class Slashes:
    """Treat `//v1//rerank/` as `/v1/rerank` if that is one of `paths`; leave other addresses unchanged.

    Ids of documents may contain slashes, which must be kept.
    """

    def __init__(self, app: ASGIApp, *, paths: Collection[str]) -> None:
        self._app, self._paths = app, frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http":
            plain = SLASHES.sub("/", scope["path"]).rstrip("/")
            if plain != scope["path"] and plain in self._paths:
                scope["path"], scope["raw_path"] = plain, plain.encode()
        await self._app(scope, receive, send)
