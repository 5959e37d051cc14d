"""Parse JSON strictly, as in RFC 8259: no NaN, no infinity, and no duplicate name in an object."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from rostrum.api.edge.errors import Refused
from rostrum.api.edge.unicode import replace_surrogates

MOST_SHOWN = 100
"""Most characters of a name that an error message repeats."""

OFF_LOOP_BYTES = 1 << 16
"""Size above which a body is parsed in another thread; parsing a smaller one is faster than starting a
thread.
"""


class StrictRequest(Request):
    """Parse the JSON body of a request strictly, and in another thread if the body is large."""

    async def json(self) -> Any:
        """Return the parsed body.

        Raises:
            JSONDecodeError: the body is not JSON.
            Refused: the body has an invalid number, or a duplicate name in an object.
        """
        if not hasattr(self, "_json"):
            body = await self.body()
            large = len(body) > OFF_LOOP_BYTES
            self._json = await run_in_threadpool(parse_json, body) if large else parse_json(body)
        return self._json


class StrictRoute(APIRoute):
    """Define a route that parses the JSON body of each request strictly, by `StrictRequest`."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return FastAPI's handler of this route, changed to receive each request as a `StrictRequest`."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            response: Response = await handle(StrictRequest(request.scope, request.receive))
            return response

        return handle_strictly


def parse_json(body: bytes) -> Any:
    """Parse a JSON text.

    >>> parse_json(b'{"limit": 1}')
    {'limit': 1}

    Raises:
        JSONDecodeError: the text is not JSON.
        UnicodeDecodeError, RecursionError, ValueError: the text has invalid bytes, is nested too deeply, or
            has a number with too many digits.
        Refused: the text has an invalid number, or a duplicate name in one object.
    """
    return json.loads(
        body, parse_constant=_refuse_constant, parse_float=_parse_finite, object_pairs_hook=_build_object
    )


def _build_object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
    message = "an object of the body has this name twice"
    raise Refused(HTTPStatus.BAD_REQUEST, "malformed", message, field=replace_surrogates(twice[:MOST_SHOWN]))


def _refuse_constant(name: str) -> Any:
    raise Refused(HTTPStatus.BAD_REQUEST, "malformed", f"the body is not JSON: {name} is not a number")


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise Refused(HTTPStatus.BAD_REQUEST, "malformed", "the body has a number beyond the range of floats")
    return number
