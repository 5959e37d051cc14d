"""What routes are handed: the service, and a place among the requests that are worked on."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, get_origin

from fastapi import Depends, Request
from pydantic import BaseModel

from rostrum.api.edge.capacity import Capacity, client_of
from rostrum.api.edge.metrics import Metrics
from rostrum.api.edge.readiness import Readiness
from rostrum.api.routes.cache import Answers
from rostrum.archive.service import Service
from rostrum_core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Places:
    """Places by kind of work: `ranking` takes seconds of a processor, `reading` the archive milliseconds.

    `writing` publishes a generation, which one writer can do at a time.
    """

    ranking: Capacity
    reading: Capacity
    writing: Capacity

    def taken(self) -> int:
        """Return how many requests are worked on."""
        return self.ranking.taken + self.reading.taken + self.writing.taken


@dataclass(frozen=True, slots=True)
class Assembly:
    """What one application is put together from."""

    service: Service
    places: Places
    metrics: Metrics
    answers: Answers
    readiness: Readiness


def writer(service: Service) -> Service:
    """The same service with a store of its own: whoever writes by it is one writer among others."""
    return Service(
        service.settings, service.store.writer(), service.runner, service.models, depth=service.depth
    )


def assembly_of(request: Request) -> Assembly:
    """The assembly of the application that serves this request."""
    found: Assembly = request.app.state.assembly
    return found


Assembled = Annotated[Assembly, Depends(assembly_of)]


async def ranking_place(assembly: Assembled, request: Request) -> AsyncIterator[None]:
    """Hold a place among the requests that are ranked until the route has its answer.

    Raises:
        Refused: none is free.
    """
    async with assembly.places.ranking.place(client_of(request.scope)):
        yield


async def reading_place(assembly: Assembled, request: Request) -> AsyncIterator[None]:
    """Hold a place among those that read the archive until the route has its answer.

    Raises:
        Refused: none is free.
    """
    async with assembly.places.reading.place(client_of(request.scope)):
        yield


async def writing_place(assembly: Assembled, request: Request) -> AsyncIterator[None]:
    """Hold the place of the writer until the route has its answer.

    Raises:
        Refused: it does not become free.
    """
    async with assembly.places.writing.place(client_of(request.scope)):
        yield


async def no_parameters(request: Request) -> None:
    """Nothing, where the address has no query: a parameter that nobody reads would be taken for obeyed.

    Raises:
        BadInput: it has one.
    """
    for name in request.query_params:
        raise BadInput("this address has no such parameter", field=name)


def once(form: type[BaseModel]) -> Any:
    """A dependency that refuses what is given twice, where the form takes one value: the last would count.

    Raises:
        BadInput: something is; raised by the dependency.
    """
    lists = {name for name, field in form.model_fields.items() if get_origin(field.annotation) is list}

    async def refuse(request: Request) -> None:
        given = Counter(name for name, _ in request.query_params.multi_items() if name not in lists)
        for name, times in given.items():
            if times > 1:
                raise BadInput("is given more than once, and takes one value", field=name)

    return Depends(refuse)


RankingPlace = Depends(ranking_place, scope="function")
ReadingPlace = Depends(reading_place, scope="function")
WritingPlace = Depends(writing_place, scope="function")
NoParameters = Depends(no_parameters)
