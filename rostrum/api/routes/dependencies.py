"""Provide routes with the service, and limit how many of their requests run at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Annotated, Any, Literal, get_origin

from fastapi import Depends, Request
from pydantic import BaseModel

from archive.service import Service
from rostrum.api.edge.capacity import Capacity, get_client_name
from rostrum.api.edge.metrics import Metrics
from rostrum.api.edge.readiness import Readiness
from rostrum.api.routes.cache import Answers, Flights
from rostrum_core.deadline import watch_caller
from rostrum_core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Places:
    """Hold the limit on concurrent requests for each kind of work.

    A request that ranks takes seconds of a processor, one that reads takes milliseconds. A request that
    writes publishes a generation, which only one writer can do at a time.
    """

    ranking: Capacity
    reading: Capacity
    writing: Capacity

    def count_taken(self) -> int:
        """Return the number of requests that are running, whatever their kind of work."""
        return self.ranking.taken + self.reading.taken + self.writing.taken


@dataclass(frozen=True, slots=True)
class Assembly:
    """Hold the service, the limits, the metrics and the caches that the routes of one application share."""

    service: Service
    places: Places
    metrics: Metrics
    answers: Answers
    readiness: Readiness
    flights: Flights = field(default_factory=Flights)


def get_assembly(request: Request) -> Assembly:
    """Return the objects that the routes share, from the application that serves this request."""
    assembly: Assembly = request.app.state.assembly
    return assembly


Assembled = Annotated[Assembly, Depends(get_assembly)]


@asynccontextmanager
async def watch_client(request: Request) -> AsyncIterator[None]:
    """Run the `with` block, and end its work with the error `Abandoned` if the client disconnects.

    First read the request's body, unless it was read already. Otherwise, the listener for the disconnect
    would consume the rest of the body.
    """
    with suppress(RuntimeError):  # it was read as a stream
        await request.body()
    is_gone = Event()

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        is_gone.set()

    listening = asyncio.create_task(listen())
    try:
        with watch_caller(is_gone.is_set):
            yield
    finally:
        listening.cancel()


def hold_place(kind: Literal["ranking", "reading"]) -> Any:
    """Return a FastAPI dependency that limits how many requests of one kind of work run at the same time.

    A request waits until it may run, and counts as running until its route has the response. Its work ends if
    the client disconnects.

    Raises, when the dependency runs:
        Refused: too many requests are running, and none of them ended in time.
    """

    async def hold(assembly: Assembled, request: Request) -> AsyncIterator[None]:
        places: Capacity = getattr(assembly.places, kind)
        async with places.place(get_client_name(request.scope)), watch_client(request):
            yield

    return Depends(hold, scope="function")


async def hold_writing_place(assembly: Assembled, request: Request) -> AsyncIterator[None]:
    """Wait until no other request writes, and keep others from writing until this route has its response.

    Raises:
        Refused: the other request did not end in time.
    """
    async with assembly.places.writing.place(get_client_name(request.scope)):
        yield


async def forbid_parameters(request: Request) -> None:
    """Refuse a request whose address has a query, because an ignored parameter would seem to work.

    Raises:
        BadInput: the address has a query.
    """
    for name in request.query_params:
        raise BadInput("this address has no such parameter", field=name)


def forbid_repeats(form: type[BaseModel]) -> Any:
    """Return a FastAPI dependency that refuses a repeated parameter, such as `?limit=1&limit=2`.

    Otherwise, only the last value would be used. Parameters that `form` defines as lists may be repeated.

    Raises, when the dependency runs:
        BadInput: a parameter is repeated.
    """
    lists = {name for name, field in form.model_fields.items() if get_origin(field.annotation) is list}

    async def refuse(request: Request) -> None:
        counts = Counter(name for name, _ in request.query_params.multi_items() if name not in lists)
        for name, times in counts.items():
            if times > 1:
                raise BadInput("is given more than once, and takes one value", field=name)

    return Depends(refuse)


RankingPlace, ReadingPlace = hold_place("ranking"), hold_place("reading")
WritingPlace = Depends(hold_writing_place, scope="function")
NoParameters = Depends(forbid_parameters)
