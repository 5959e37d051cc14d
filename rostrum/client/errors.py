"""What a client of the service raises, with the service's own words.

RostrumError
└── ServiceError          the service did not do what was asked
    ├── Unreachable       no whole answer came: no connection, or it broke off
    ├── DeadlineExceeded  no answer within the time that the call had
    ├── RequestRefused    400, 405, 408, 413, 415, 422: not to be served as given; a `BadInput` too
    ├── NotAllowed        401, 403, 421: no key, or one that may not do this
    ├── NotFound          404; a `BadInput` too
    ├── Busy              409, 429: another writer, or too many requests; nothing was begun
    ├── Unavailable       502, 503, 504: what the service needs is away
    └── ServiceFault      500, or an answer that this client cannot read
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rostrum_core.errors import BadInput, RostrumError

if TYPE_CHECKING:
    from rostrum.client.batches import Upserted


class ServiceError(RostrumError):
    """The service did not do what was asked. `status` and `code` are `None` where it said nothing.

    `code` is what programs tell it by, `field` the culprit where there is one, `request_id` names the request
    in the service's log, `retry_after_s` is when it asks to come again. Of an `upsert` in several requests,
    `upserted` is what those before this one have published.
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
    """No whole answer came. `sent` says whether the service may have had the request, and have done it."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class DeadlineExceeded(ServiceError):
    """No answer within the time that the call had; the service may have done what was asked."""


class RequestRefused(ServiceError, BadInput):
    """The request cannot be served as given."""


class NotAllowed(ServiceError):
    """The service asks for a key, or for one of another scope."""


class NotFound(ServiceError, BadInput):
    """There is no such document or address."""


class Busy(ServiceError):
    """The service takes no more just now, or another writer is at work: nothing was begun."""


class Unavailable(ServiceError):
    """What the service needs is away."""


class ServiceFault(ServiceError):
    """A fault of the service, or an answer that is none of its own."""


BY_STATUS: dict[int, type[ServiceError]] = {
    **dict.fromkeys((401, 403, 421), NotAllowed),
    **dict.fromkeys((409, 429), Busy),
    **dict.fromkeys((502, 503, 504), Unavailable),
    404: NotFound,
}


def error_of(status: int) -> type[ServiceError]:
    """The error that a status without success means.

    >>> error_of(404).__name__, error_of(422).__name__, error_of(500).__name__, error_of(302).__name__
    ('NotFound', 'RequestRefused', 'ServiceFault', 'ServiceFault')
    """
    return BY_STATUS.get(status, RequestRefused if 400 <= status < 500 else ServiceFault)
