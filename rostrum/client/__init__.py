"""Call the HTTP service from Python: `Client`, and `AsyncClient` for asyncio.

Both return the types of `rostrum.types` and raise the errors of `rostrum.client.errors`.
"""

from rostrum.client.asynchronous import AsyncClient
from rostrum.client.batches import Upserted
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
from rostrum.client.responses import DraftAnswer, DraftError, RankedText, Readiness, Speech

__all__ = [
    "AsyncClient",
    "Busy",
    "Client",
    "DeadlineExceeded",
    "DraftAnswer",
    "DraftError",
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
