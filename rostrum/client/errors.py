"""The errors of a client of the service, with the service's own messages.

RostrumError
└── ServiceError          the request failed
    ├── Unreachable       no complete response: no connection, or it broke off
    ├── DeadlineExceeded  no response within the timeout of the call
    ├── RequestRefused    400, 405, 408, 413, 415, 422: an invalid request; also a `BadInput`
    ├── NotAllowed        401, 403, 421: no key, or a key without the scope for this request
    ├── NotFound          404; also a `BadInput`
    ├── Busy              409, 429: another writer, or too many requests; nothing was begun
    ├── Unavailable       502, 503, 504: the service cannot reach what it needs
    └── ServiceFault      500, or a response that this client cannot parse
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rostrum_core.errors import BadInput, RostrumError

if TYPE_CHECKING:
    from rostrum.client.batches import Upserted


class ServiceError(RostrumError):
    """The request failed. `status` and `code` are `None` if there was no response.

    `code` is for programs. `field` names the invalid field if there is one. `request_id` names the request in
    the service's log. `retry_after_s` is the time in seconds that the client should wait before a retry. If
    an `upsert` sent several requests, `upserted` reports what the requests before the failed request
    published.
    """

    upserted: Upserted | None = None

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        field: str | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.field = status, code, field
        self.request_id, self.retry_after_s = request_id, retry_after_s


class Unreachable(ServiceError):
    """There was no complete response. `sent` is true if the service may have processed the request."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class DeadlineExceeded(ServiceError):
    """There was no response within the timeout; the service may have processed the request."""


class RequestRefused(ServiceError, BadInput):
    """The request is invalid."""


class NotAllowed(ServiceError):
    """The key is missing, or lacks the scope for this request."""


class NotFound(ServiceError, BadInput):
    """There is no such document or address."""


class Busy(ServiceError):
    """The service is at its limit, or another writer is active; the request was not begun."""


class Unavailable(ServiceError):
    """The service cannot reach a part that it needs, such as its archive or its workers."""


class ServiceFault(ServiceError):
    """The service failed, or the response is not one of a Rostrum service."""


BY_STATUS: dict[int, type[ServiceError]] = {
    **dict.fromkeys((401, 403, 421), NotAllowed),
    **dict.fromkeys((409, 429), Busy),
    **dict.fromkeys((502, 503, 504), Unavailable),
    404: NotFound,
}


def choose_error(status: int) -> type[ServiceError]:
    """Return the error class for an HTTP status that is not a success.

    >>> choose_error(404).__name__, choose_error(422).__name__, choose_error(500).__name__
    ('NotFound', 'RequestRefused', 'ServiceFault')
    """
    return BY_STATUS.get(status, RequestRefused if 400 <= status < 500 else ServiceFault)
