"""Handle unexpected errors inside the CORS layer, so that pages of other origins can read the response."""

from __future__ import annotations

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rostrum.api.edge.errors import answer_to


class Unforeseen:
    """Return an error response if a request ended in an unhandled error, unless a response has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        begun = False

        async def track_send(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, track_send)
        except ClientDisconnect:
            raise
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            await answer_to(error)(scope, receive, send)
