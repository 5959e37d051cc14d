"""The HTTP service as Python calls: `Client`, and `AsyncClient` for asyncio.

Both answer in the words of `rostrum.types` and raise what `rostrum.client.errors` draws.
"""

from rostrum.client.asynchronous import AsyncClient
from rostrum.client.batches import Upserted
from rostrum.client.calls import RankedText, Readiness, Speech
from rostrum.client.client import Client
from rostrum.client.errors import (
    Busy,
    DeadlineExceeded,
    NotAllowed,
    NotFound,
    RequestRefused,
    ServiceError,
    ServiceFault,
    Unavailable,
    Unreachable,
)

__all__ = [
    "AsyncClient",
    "Busy",
    "Client",
    "DeadlineExceeded",
    "NotAllowed",
    "NotFound",
    "RankedText",
    "Readiness",
    "RequestRefused",
    "ServiceError",
    "ServiceFault",
    "Speech",
    "Unavailable",
    "Unreachable",
    "Upserted",
]
