"""Limit the time in which a client must send headers, or the rest of a body that no route reads.

Malformed headers get an error response in the common format. Uvicorn has no such timeouts.
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

TIMEOUT_S = 15.0
LINGER_S = 1.0


class HeaderTimeoutProtocol(H11Protocol):
    """Close an HTTP/1.1 connection if the headers of its next request are not complete within `TIMEOUT_S`
    seconds.

    For the first request, the time starts with the connection. After a response, uvicorn's own idle timeout
    applies until a byte arrives. If a request was answered before its body was complete, the client has
    `TIMEOUT_S` to send the rest.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, and start the timeout for the headers of its first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Accept data from the client, and start or stop the timeout for request headers.

        The timeout runs while the headers are incomplete.
        """
        if not self._ended:
            super().data_received(data)
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout for request headers, because the connection has ended."""
        super().connection_lost(exc)
        self._stop_timer()

    def on_response_complete(self) -> None:
        """End a response; if the client is still sending the request's body, start a timeout for the rest.

        The connection is closed if the rest does not arrive in time.
        """
        answered = self.cycle
        super().on_response_complete()  # this may begin the next request
        if self.cycle is answered and self.conn.their_state is h11.SEND_BODY:
            self.loop.call_later(TIMEOUT_S, self._close_unread, answered)

    def _close_unread(self, answered: object) -> None:
        if self.cycle is answered and self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Send a response with status 400 in the common error shape, and end the connection.

        Whatever the client still sends is read for a while and discarded. Closing at once would reset the
        connection, and the client would never see the response.
        """
        self._ended = True
        self._stop_timer()
        body = json.dumps({"error": {"code": "malformed", "message": msg}}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        head = h11.Response(status_code=HTTPStatus.BAD_REQUEST, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.write_eof()
        self.loop.call_later(LINGER_S, self.transport.close)

    def _watch(self) -> None:
        if self._ended or self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(TIMEOUT_S, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.send_400_response(f"the head of the request took longer than {TIMEOUT_S:g} s")
