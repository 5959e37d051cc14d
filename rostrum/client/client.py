"""Define the client for threads; `rostrum.client.asynchronous` has the client for asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

import httpx2

from rostrum.client import calls
from rostrum.client.binding import describe_method
from rostrum.client.calls import Call, Steps
from rostrum.client.errors import DeadlineExceeded, ServiceError
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
TIMEOUT_S = 60.0


def send_one(build: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """Make a client method from the function `build`, which returns a `Call` (one request).

    The method sends the call, and returns the service's answer. It has the name, parameters and docstring of
    `build`.
    """

    def send(self: Client, /, *args: P.args, **options: P.kwargs) -> T:
        return self._ask(build(*args, **options))

    return describe_method(send, build)


def send_all(build: Callable[P, Steps[T]]) -> Callable[Concatenate[Client, P], T]:
    """Make a client method that sends several requests, one after the other.

    `build` is a generator function that yields these requests. The method sends each request, passes the
    answer back to the generator, and returns what the generator returns at its end. The method has the name,
    parameters and docstring of `build`.
    """

    def send(self: Client, /, *args: P.args, **options: P.kwargs) -> T:
        return self._ask_all(build(*args, **options))

    return describe_method(send, build)


class Client:
    """Call the Rostrum service at `url`, with `key` if it needs one. Threads may share a client.

    `timeout_s` is the default timeout of a call, including all its attempts. `delete` and each request of
    `upsert` publish a generation, and have a timeout of ten minutes by default. During an attempt, each step
    has the remaining time as its timeout: connecting, sending, waiting for the response header. So a call
    with several slow steps may take longer than `timeout_s`, unlike with `AsyncClient`. Every call may raise
    `ServiceError`: see `rostrum.client.errors`. The calls are documented in `rostrum.client.calls`.
    """

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        with refuse_unknown_proxies():
            self._http = httpx2.Client(base_url=parse_url(url), headers=build_headers(key))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

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

    def documents(self) -> Iterator[DocumentInfo]:
        """Yield the metadata of all documents, ordered by id.

        Each page of the list is one request.
        """
        after: str | None = ""
        while after is not None:
            page = self._ask(calls.request_page(after))
            yield from page.documents
            after = page.next

    def _ask_all(self, steps: Steps[T]) -> T:
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
                resume, outcome = steps.send, self._ask(call)
            except ServiceError as error:
                resume, outcome = steps.throw, error

    def _ask(self, call: Call[T]) -> T:
        """Send a call, and return its answer.

        After a failure, retry the call if `rostrum.client.retries` permits it.
        """
        attempts = Attempts(call, self._timeout_s)
        while True:
            try:
                return self._try(call, attempts)
            except ServiceError as error:
                time.sleep(attempts.compute_wait_s(error))

    def _try(self, call: Call[T], attempts: Attempts) -> T:
        with (
            translate_errors(call),
            self._http.stream(**build_request(call, attempts.count_left_s())) as response,
        ):
            pieces = []
            for piece in response.iter_bytes():
                pieces.append(piece)
                if not attempts.count_left_s():  # a body that trickles in keeps every single read in time
                    raise DeadlineExceeded(f"{call.method} {call.path} was not answered in time")
            return parse_response(call, response, b"".join(pieces))
