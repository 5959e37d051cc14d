"""Limit the size of request bodies, singly and in total, and the time they take to arrive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rostrum.api.edge.capacity import ByteBudget, get_client_name
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.json_bounds import FreeBounds, JsonBounds

LOOK_S = 1.0
"""Seconds of each wait for a body. A longer wait is the server's fault and is not counted."""


class Bounds(Protocol):
    """Check the structure of a request body piece by piece while the body arrives."""

    def feed(self, piece: bytes) -> None:
        """Check the next piece of the body; raise `Refused` if the body exceeds a bound."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the limits of a request body: its size, the seconds until it is complete, and its JSON structure.

    `bounds` makes the object that checks the structure. `together_bytes` limits the total size of the bodies
    of requests that run at the same time. Paths with the same `together_bytes` share one total.
    """

    size_bytes: int
    timeout_s: float
    bounds: Callable[[], Bounds] = JsonBounds
    together_bytes: int = 256 << 20


class BodyLimits:
    """End a request whose body is larger or slower than allowed.

    `own` maps some paths to limits of their own; `limits` apply to all other paths. A `Content-Length` that
    is too large ends the request before the body is read. A body counts toward the total size of all bodies
    until its request ends. Use from one event loop only.
    """

    def __init__(self, app: ASGIApp, *, limits: Limits, own: Mapping[str, Limits]) -> None:
        self._app, self._limits, self._own = app, limits, own
        self._budgets: dict[int, ByteBudget] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, and enforce the limits while it receives the body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limits = self._own.get(scope["path"].rstrip("/"), self._limits)
        budget = self._budgets.setdefault(limits.together_bytes, ByteBudget(limits.together_bytes))
        client = get_client_name(scope)
        body = _Body(scope, receive, limits, partial(budget.hold, client))
        try:
            await self._app(scope, body.receive, send)
        finally:
            budget.give_back(client, body.size_bytes)


class _Body:
    """Receive the body of one request, and check each piece against the limits.

    `hold` reserves the bytes of each piece in the memory budget that all requests share. Errors while reading
    reach the client as ordinary error responses.
    """

    def __init__(self, scope: Scope, receive: Receive, limits: Limits, hold: Callable[[int], None]) -> None:
        self._receive, self._limits, self._hold = receive, limits, hold
        self._announced = _read_content_length(scope)
        self._left_s = limits.timeout_s
        self._bounds = FreeBounds() if _has_parts(scope) else limits.bounds()
        self.size_bytes = 0
        self._whole = False

    async def receive(self) -> Message:
        """Return the next ASGI message of the request: a piece of the body, or the client's disconnect.

        After the body is complete, only the disconnect can follow. The wait for the disconnect has no
        timeout.
        """
        if self._whole:
            return await self._receive()
        self._check(self._announced)
        message = await self._wait()
        piece = message.get("body", b"")
        self.size_bytes += len(piece)
        self._hold(len(piece))
        self._check(self.size_bytes)
        self._bounds.feed(piece)
        self._whole = not message.get("more_body", False)
        return message

    async def _wait(self) -> Message:
        """Return the next message of the request; raise `Refused` if the body takes too long to arrive.

        Time in which this process is too busy to read is not counted.
        """
        while self._left_s > 0:
            look_s = min(LOOK_S, self._left_s)
            began = time.monotonic()
            try:
                async with asyncio.timeout(look_s):  # `wait_for` of Python 3.11 may lose a cancellation
                    return await self._receive()
            except TimeoutError:
                continue
            finally:
                self._left_s -= min(look_s, time.monotonic() - began)
        message = f"the body took longer than {self._limits.timeout_s:g} s"
        raise Refused(HTTPStatus.REQUEST_TIMEOUT, "body_too_slow", message)

    def _check(self, size_bytes: int) -> None:
        if size_bytes > self._limits.size_bytes:
            message = f"the body is larger than {self._limits.size_bytes} bytes"
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)


def _has_parts(scope: Scope) -> bool:
    """Return whether a body is a multipart form, which contains no JSON."""
    return Headers(scope=scope).get("content-type", "").lower().startswith("multipart/form-data")


def _read_content_length(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0
