"""How long a client may take over the head of a request: uvicorn itself waits for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

TIMEOUT_S = 15.0


class PunctualHeads(H11Protocol):
    """HTTP/1.1 that ends a connection whose next head is not whole `TIMEOUT_S` after it began.

    A connection on which nothing was asked yet counts from its beginning; after an answer uvicorn's own bound
    of idle connections holds until a byte arrives.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Takes what has come, and waits for the rest of a head."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        super().connection_lost(exc)
        self._rest()

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._rest()
        elif self._timer is None:
            self._timer = self.loop.call_later(TIMEOUT_S, self._give_up)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.send_400_response(f"the head of the request took longer than {TIMEOUT_S:g} s")
