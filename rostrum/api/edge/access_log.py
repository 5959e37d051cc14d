"""Assign an id to every request, and write one log line for each.

The line has the name of the client's API key and the address of the client. Bodies, queries and headers are
not logged, because they contain drafts and keys.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("rostrum.api")
REQUEST_ID = "X-Request-ID"
SENT_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)

FACTS = "rostrum.facts"
"""Key in the scope of a request for additional fields of its log line."""

Ended = Callable[[str, str | None, int | None, float], None]

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Id of the current request, for log lines of other modules."""


class AccessLog:
    """Give each request an id, and log how the request ended.

    If the client sent a valid id, the request keeps it; otherwise it gets a new one. After each request, the
    callback `ended` gets its method, route (`None` if no route matches), status and seconds.
    """

    def __init__(self, app: ASGIApp, *, ended: Ended) -> None:
        self._app, self._ended = app, ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give a request its id, pass the request to the application, and log how the request ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent_id = Headers(scope=scope).get(REQUEST_ID, "")
        request_id.set(sent_id if SENT_ID.fullmatch(sent_id) else uuid.uuid4().hex)
        reply = _Reply(send)
        started = time.monotonic()
        try:
            await self._app(scope, receive, reply.send)
        except ClientDisconnect:
            pass  # the client is gone: the line has no status
        finally:
            elapsed_s = time.monotonic() - started
            route = getattr(scope.get("route"), "path", None)
            self._ended(scope["method"], route, reply.status, elapsed_s)
            _log(scope, route, reply, elapsed_s)


class _Reply:
    """Record the size and the status of a response while it is sent to the client.

    The status is `None` until the response begins.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None
        self.size_bytes = 0

    async def send(self, message: Message) -> None:
        """Send a part of the response to the client, with the id of the request in the response's headers."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message)[REQUEST_ID] = request_id.get() or ""
        self.size_bytes += len(message.get("body", b""))
        await self._send(message)


def note(scope: Scope, **facts: object) -> None:
    """Add fields to the log line of a request.

    Never pass drafts or text of speeches, because the log must not contain them.
    """
    scope.setdefault(FACTS, {}).update(facts)


def _log(scope: Scope, route: str | None, reply: _Reply, elapsed_s: float) -> None:
    key = scope.get("rostrum.key")
    facts = {
        "method": scope["method"],
        "route": route,
        "status": reply.status,
        "elapsed_s": round(elapsed_s, 4),
        "size_bytes": reply.size_bytes,
        "address": scope.get("rostrum.address") or None,
        "key": None if key is None else key.name,
        **scope.get(FACTS, {}),
    }
    LOG.info("request", extra=facts)
