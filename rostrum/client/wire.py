"""Convert calls to HTTP requests, and HTTP responses and failures to results and errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx2
import msgspec

from rostrum.client.batches import encode_json
from rostrum.client.calls import Call
from rostrum.client.errors import DeadlineExceeded, ServiceFault, Unreachable, choose_error
from rostrum_core.errors import BadInput

T = TypeVar("T")
JSON, JSON_LINES = "application/json", "application/x-ndjson"
SHARE = 0.9  # of the time, for the service: its response has to travel, too
MOST_QUOTED = 200  # characters of a response that does not come from the service


class _Detail(msgspec.Struct):
    code: str
    message: str
    field: str | None = None


class _Error(msgspec.Struct):
    error: _Detail


def parse_url(url: str) -> httpx2.URL:
    """Parse the base URL of a service.

    Raises:
        BadInput: the URL is invalid.
    """
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise BadInput(f"{url!r} is not an address of a service: {error}", field="url") from error
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise BadInput(f"{url!r} is not an address of a service: http://HOST:PORT", field="url")
    return parsed


@contextmanager
def refuse_unknown_proxies() -> Iterator[None]:
    """Convert the error that an unsupported proxy causes in the `with` block to a `BadInput`.

    Raises:
        BadInput: the environment names a proxy that cannot be used.
    """
    try:
        yield
    except ValueError as error:
        raise BadInput(f"a proxy that the environment names cannot be used: {error}") from error


def build_headers(key: str | None) -> dict[str, str]:
    """Return the headers that each request of a client has: the key of the service, if there is one.

    Raises:
        BadInput: the key has characters that a header cannot have.
    """
    if key is None:
        return {}
    if not (key.isascii() and key.isprintable()):
        raise BadInput("the key of the service holds characters that no key has", field="key")
    return {"Authorization": f"Bearer {key}"}


def build_request(call: Call[Any], left_s: float) -> dict[str, Any]:
    """Return the arguments with which the method `stream` of an `httpx2` client sends a call.

    The call has `left_s` seconds left until its deadline.
    """
    arguments: dict[str, Any] = {"method": call.method, "url": call.path, "timeout": max(left_s, 0.001)}
    if call.params:
        arguments["params"] = call.params
    if call.lines is not None:
        return arguments | {"content": call.lines, "headers": {"Content-Type": JSON_LINES}}
    if call.form is not None:
        form = dict(call.form) | ({"timeout_ms": max(1, int(left_s * SHARE * 1000))} if call.timed else {})
        return arguments | {"content": encode_json(form), "headers": {"Content-Type": JSON}}
    return arguments


def parse_response(call: Call[T], response: httpx2.Response, body: bytes) -> T:
    """Return the answer to a call, parsed from the body of the response.

    Raises:
        ServiceError: the status is an error; its class depends on the status.
    """
    if not response.is_success:
        raise _build_error(response, body)
    try:
        if call.part is None:
            return msgspec.json.decode(body, type=call.answer)
        whole = msgspec.defstruct("Response", [(call.part, call.answer)])
        answer: T = getattr(msgspec.json.decode(body, type=whole), call.part)
        return answer
    except msgspec.DecodeError as error:
        message = f"{call.method} {call.path} was answered by what this client cannot read: {error}"
        raise ServiceFault(message, status=response.status_code) from error


@contextmanager
def translate_errors(call: Call[Any]) -> Iterator[None]:
    """Convert errors of `httpx2` and timeouts inside the block to our errors, such as `Unreachable`."""
    request = f"{call.method} {call.path}"
    try:
        yield
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise DeadlineExceeded(f"{request} was not answered in time") from error
    except httpx2.ConnectError as error:
        raise Unreachable(f"the service cannot be reached: {error}", sent=False) from error
    except (UnicodeError, httpx2.InvalidURL) as error:
        raise BadInput(f"{request} cannot be asked: {error}") from error
    except httpx2.HTTPError as error:
        message = f"the connection broke off while {request} was answered: {error}"
        raise Unreachable(message, sent=True) from error


def _build_error(response: httpx2.Response, body: bytes) -> Exception:
    try:
        detail = msgspec.json.decode(body, type=_Error).error
    except msgspec.DecodeError:  # a proxy's, or of no HTTP service of ours
        text = body[:MOST_QUOTED].decode("utf-8", "replace").strip()
        detail = _Detail("", f"{response.status_code} {response.reason_phrase}: {text}")
    is_named = detail.field is None or detail.field in detail.message
    return choose_error(response.status_code)(
        detail.message if is_named else f"{detail.field}: {detail.message}",
        status=response.status_code,
        code=detail.code or None,
        field=detail.field,
        request_id=response.headers.get("x-request-id"),
        retry_after_s=_parse_seconds(response.headers.get("retry-after", "")),
    )


def _parse_seconds(retry_after: str) -> float | None:
    """Return the seconds of a `Retry-After` header; `None` if the header is missing or has a date."""
    return float(retry_after) if retry_after.isdecimal() else None
