"""How many requests are worked on at once; one more is refused at once rather than kept waiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from rostrum.api.edge.errors import Refused

RETRY_S = 1


class Capacity:
    """Places for requests, or for some of a `kind`. Used by one event loop, and so by one thread."""

    def __init__(self, places: int, kind: str = "requests") -> None:
        self._places, self._kind = places, kind
        self.taken = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Holds a place within.

        Raises:
            Refused: all are taken.
        """
        if self.taken >= self._places:
            told = f"{self._places} {self._kind} are being worked on already: try again in a moment"
            headers = {"Retry-After": str(RETRY_S)}
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "too_many_requests", told, headers=headers)
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1
