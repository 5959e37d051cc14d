"""Convert every error to a response: `{"error": {"code", "message", "field"?}}`, or another shape if the
route's clients expect one (`rostrum.api.edge.error_shapes`).

A client's mistake is explained in full. A failure on our side is explained only in general, because its
reason may name internal machines; the reason is logged.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import singledispatch
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rostrum.api.edge.error_shapes import ErrorDetail, choose_shape, shape_as_rostrum
from rostrum.api.edge.page_requests import is_for_page
from rostrum.api.page.rendering import render_error
from rostrum_core.errors import (
    Abandoned,
    ArchiveBusy,
    BadInput,
    DeadlineExceeded,
    ModelError,
    NothingPublished,
    RedisAway,
    RostrumError,
    StoreError,
    TaskError,
)

LOG = logging.getLogger("rostrum.api")
RETRY_S = 5
"""Seconds after which to retry if one of our servers is unavailable."""

JSON = "application/json"
FORMS = ("(cohere)", "(tei)")
"""Names of the form types of `/rerank`, which precede the fields in an error's location."""

MESSAGES = {
    "extra_forbidden": "there is no such field or parameter",
    "missing": "it is needed",
    "model_attributes_type": "an object of JSON is expected",
}
"""Our messages for pydantic's error types whose own message speaks of Python or does not help a client."""

CODES = {400: "malformed", 404: "not_found", 405: "method_not_allowed"}

CLIENT_CLOSED = 499
"""Status, in logs and metrics, of a request whose client disconnected; the number is nginx's."""

FAILURES: dict[type[RostrumError], tuple[int, str, str]] = {
    ArchiveBusy: (409, "archive_busy", "another writer is at work on the archive: try again later"),
    NothingPublished: (503, "nothing_published", "nothing is published: rostrum index PATHS..."),
    StoreError: (503, "archive_unavailable", "the archive cannot be used now or in time"),
    RedisAway: (
        503,
        "redis_unavailable",
        "Redis, which keeps jobs and carries work, cannot be used",
    ),
    DeadlineExceeded: (504, "deadline_exceeded", "not all was done within the time limit of this service"),
    TaskError: (503, "workers_unavailable", "model work did not come back"),
    ModelError: (503, "models_unavailable", "the models cannot be run"),
    Abandoned: (CLIENT_CLOSED, "abandoned", "the client closed the connection"),
}


class ErrorAnswer(JSONResponse):
    """Send an error as a page to a browser, and as JSON to other clients.

    The format of the JSON depends on the path, because some paths imitate other services (see
    `choose_shape`).
    """

    def __init__(self, status: int, detail: ErrorDetail, headers: Mapping[str, str] | None) -> None:
        super().__init__(shape_as_rostrum(status, detail).model_dump(exclude_none=True), status, headers)
        self._detail, self._sent_with = detail, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the error response, and add the code of the error to the log line of the request."""
        scope.setdefault("rostrum.facts", {})["code"] = self._detail.code
        if is_for_page(scope):
            page = render_error(scope, self.status_code, self._detail, self._sent_with)
            await page(scope, receive, send)
            return
        shape = choose_shape(scope["method"], scope["path"], self.status_code)
        body = shape(self.status_code, self._detail).model_dump(exclude_none=True)
        await JSONResponse(body, self.status_code, self._sent_with)(scope, receive, send)


class Refused(HTTPException):
    """Raised to refuse a request, with an HTTP status, a code for programs and a message for people."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, message, headers)
        self.code, self.field = code, field


@contextmanager
def refuse_missing(message: str | None = None) -> Iterator[None]:
    """Answer with status 404 if the `with` block raises `BadInput` because something does not exist.

    The response has `message`, or by default the message of the `BadInput`.

    Raises:
        Refused: the block raised `BadInput`.
    """
    try:
        yield
    except BadInput as error:
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message or str(error)) from error


def answer_errors(app: FastAPI) -> None:
    """Register the handlers by which the application answers every kind of failure with an error response."""
    for kind in (HTTPException, RequestValidationError, RostrumError):
        app.add_exception_handler(kind, _handle_error)
    app.add_exception_handler(HTTPStatus.METHOD_NOT_ALLOWED, _answer_other_method)


class Unforeseen:
    """Send an error response if the application raises an unexpected error before any response has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, and answer the request if the application raises an unexpected
        error.
        """
        begun = False

        async def track_send(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, track_send)
        except ClientDisconnect:
            raise
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            await answer_to(error)(scope, receive, send)


@singledispatch
def answer_to(error: Exception) -> JSONResponse:
    """Return the error response to a request that ended in this error.

    Of an unexpected error, only the type and the location are logged. The text is not logged, because it may
    repeat a draft.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    LOG.error("internal", extra={"kind": type(error).__name__, "places": places})
    return _make_answer(500, "internal", "a fault of this service: its log tells more")


@answer_to.register
def _answer_http_error(error: HTTPException) -> JSONResponse:
    code, message = CODES.get(error.status_code, "refused"), str(error.detail)
    if message == HTTPStatus.NOT_FOUND.phrase:  # the router's
        message = "there is no such address here"
    if error.status_code == HTTPStatus.BAD_REQUEST:  # FastAPI's, of a body whose fault has no place
        message = "the body cannot be read: send JSON in UTF-8, not nested deeply, no number too long"
    return _make_answer(error.status_code, code, message, headers=error.headers)


@answer_to.register
def _answer_refused(error: Refused) -> JSONResponse:
    return _make_answer(
        error.status_code, error.code, str(error.detail), field=error.field, headers=error.headers
    )


@answer_to.register
def _answer_invalid(error: RequestValidationError) -> JSONResponse:
    """Return the error response to a request with invalid fields.

    The response names only the first fault, without the invalid value, which may be part of a draft.
    """
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        cause = first["ctx"]["error"].removesuffix(" at")
        return _make_answer(
            400, "malformed", f"the body is not JSON: {cause} at character {first['loc'][1] + 1}"
        )
    named = [str(part) for part in first["loc"][1:] if part not in FORMS]
    if first["type"] == "missing" and not named:
        return _make_answer(422, "bad_input", "the body is empty: an object of JSON is expected")
    message = MESSAGES.get(first["type"], first["msg"])
    return _make_answer(422, "bad_input", message, field=".".join(named) or None)


@answer_to.register
def _answer_bad_input(error: BadInput) -> JSONResponse:
    return _make_answer(422, "bad_input", str(error), field=error.field)


@answer_to.register
def _answer_failure(error: RostrumError) -> JSONResponse:
    """Return the error response that the table `FAILURES` has for the error's class, or for its nearest base
    class.

    If the table has no such class, the error is answered as an unexpected one.
    """
    kind = next((ancestor for ancestor in type(error).__mro__ if ancestor in FAILURES), None)
    if kind is None:
        return answer_to.dispatch(Exception)(error)
    status, code, message = FAILURES[kind]
    LOG.warning(code, extra={"reason": str(error)})
    return _make_answer(status, code, message, headers={"Retry-After": str(RETRY_S)})


def _answer_other_method(request: Request, error: Exception) -> JSONResponse:
    """Return the error response to a request whose path does not allow its method.

    The header `Allow` lists the methods of all routes of the path.
    """
    path = getattr(request.scope.get("route"), "path_format", None)
    allowed = {method.upper() for method in request.app.openapi()["paths"].get(path, {})}
    if "GET" in allowed:
        allowed.add("HEAD")
    named = {"Allow": ", ".join(sorted(allowed))} if allowed else {}
    headers = (getattr(error, "headers", None) or {}) | named
    return _make_answer(405, CODES[405], "this address has other methods: see Allow", headers=headers)


def _handle_error(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, RequestValidationError) and _is_unread(request, error):
        message = f"send JSON with Content-Type: {JSON}"
        return answer_to(Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message))
    return answer_to(error)


def read_media_type(request: Request) -> str:
    """Return the media type of the body, in lower case and without parameters; empty if there is none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_unread(request: Request, error: RequestValidationError) -> bool:
    """Return whether a request is invalid because its `Content-Type` is not JSON, so that its body was not
    parsed.
    """
    kind = read_media_type(request)
    is_json = kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
    place = [part for part in error.errors()[0]["loc"] if part not in FORMS]
    return place == ["body"] and not is_json


def _make_answer(
    status: int,
    code: str,
    message: str,
    *,
    field: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> ErrorAnswer:
    return ErrorAnswer(status, ErrorDetail(code=code, message=message, field=field), headers)
