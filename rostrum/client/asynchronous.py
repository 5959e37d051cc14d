"""Define the client for asyncio; `rostrum.client.client` has the client for threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2

from rostrum.client import calls
from rostrum.client.binding import describe_method
from rostrum.client.calls import Call, Steps
from rostrum.client.client import TIMEOUT_S
from rostrum.client.errors import ServiceError
from rostrum.client.retries import Attempts
from rostrum.client.wire import (
    build_headers,
    build_request,
    parse_response,
    parse_url,
    refuse_unknown_proxies,
    translate_errors,
)
from rostrum_core.types import DocumentInfo

T = TypeVar("T")
P = ParamSpec("P")


def send_one(build: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Make a client method from the function `build`, which returns a `Call` (one request).

    The method sends the call, and returns the service's answer. It has the name, parameters and docstring of
    `build`.
    """

    async def send(self: AsyncClient, /, *args: P.args, **options: P.kwargs) -> T:
        return await self._ask(build(*args, **options))

    return describe_method(send, build)


def send_all(build: Callable[P, Steps[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Make a client method from the generator function `build`, which yields several calls (requests).

    The method sends each call, passes its answer to the generator, and returns the generator's result. It has
    the name, parameters and docstring of `build`.
    """

    async def send(self: AsyncClient, /, *args: P.args, **options: P.kwargs) -> T:
        return await self._ask_all(build(*args, **options))

    return describe_method(send, build)


class AsyncClient:
    """Call a Rostrum service as `Client` does, with asyncio."""

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        with refuse_unknown_proxies():
            self._http = httpx2.AsyncClient(base_url=parse_url(url), headers=build_headers(key))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    recommend = send_one(calls.recommend)
    recommend_printed = send_one(calls.recommend_printed)
    recommend_many = send_all(calls.recommend_many)
    explain = send_one(calls.explain)
    search = send_one(calls.search)
    verify = send_all(calls.verify)
    verify_draft = send_one(calls.verify_draft)
    evidence = send_one(calls.find_evidence)
    famous = send_one(calls.find_famous)
    counter = send_one(calls.find_counter)
    repeats = send_one(calls.find_repeats)
    rerank = send_one(calls.rerank)
    submit_job = send_one(calls.submit_job)
    jobs = send_one(calls.list_jobs)
    job = send_one(calls.get_job)
    cancel_job = send_one(calls.cancel_job)
    get = send_one(calls.get)
    delete = send_one(calls.delete)
    upsert = send_all(calls.upsert)
    submit_upload = send_one(calls.submit_upload)
    uploads = send_one(calls.list_uploads)
    upload = send_one(calls.get_upload)
    cancel_upload = send_one(calls.cancel_upload)
    health = send_all(calls.check_health)
    ready = send_one(calls.check_ready)

    async def documents(self) -> AsyncIterator[DocumentInfo]:
        """Yield the metadata of all documents, ordered by id.

        Each page of the list is one request.
        """
        after: str | None = ""
        while after is not None:
            page = await self._ask(calls.request_page(after))
            for document in page.documents:
                yield document
            after = page.next

    async def _ask_all(self, steps: Steps[T]) -> T:
        """Send the calls that a generator yields, one after the other, and return the generator's result.

        The service's answer to a call becomes the value of its `yield`. If the call fails, the `yield` raises
        the error.
        """
        resume, outcome = steps.send, None
        while True:
            try:
                call = resume(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            try:
                resume, outcome = steps.send, await self._ask(call)
            except ServiceError as error:
                resume, outcome = steps.throw, error

    async def _ask(self, call: Call[T]) -> T:
        """Send a call, and return its answer.

        After a failure, retry the call if `rostrum.client.retries` permits it.
        """
        attempts = Attempts(call, self._timeout_s)
        while True:
            try:
                return await self._try(call, attempts)
            except ServiceError as error:
                wait_s = attempts.compute_wait_s(error)
            await asyncio.sleep(wait_s)

    async def _try(self, call: Call[T], attempts: Attempts) -> T:
        left_s = attempts.count_left_s()
        with translate_errors(call):
            async with asyncio.timeout(left_s), self._http.stream(**build_request(call, left_s)) as response:
                return parse_response(call, response, await response.aread())
