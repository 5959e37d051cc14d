"""Check whether the service can search its archive and run its models.

Callers that ask at the same time share one check.
"""

from __future__ import annotations

import asyncio
import time

from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from archive.service import Service
from jobs.recommend.candidates import EncodedDraft, search
from rostrum_core.deadline import limit_time
from rostrum_core.errors import DeadlineExceeded, NothingPublished, RostrumError, TaskError
from rostrum_core.types import Draft, Filter

CHECKED = Draft("ready")
CHECK_TIMEOUT_S = 5.0
KEPT_S = 1.0
"""Seconds for which a result is reused, because callers need no key and each check runs the models."""


class Ready(BaseModel):
    """The body of the response to `/ready` if the archive is published and the models run.

    Only clients with a key see the size of the archive and its generation (version), unless the service needs
    no key.
    """

    status: str = "ok"
    generation: str | None = None
    documents: int | None = None
    paragraphs: int | None = None


class Readiness:
    """Check whether a service is ready to answer requests; at most one check runs at a time.

    Use from one event loop only.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._looking = asyncio.Lock()
        self._result: Ready | RostrumError | None = None
        self._looked = 0.0

    async def check(self) -> Ready:
        """Check whether the service is ready, or return the last result if it is at most `KEPT_S` seconds
        old.

        Raises:
            StoreError, TaskError, ModelError: as `check_readiness`.
        """
        async with self._looking:
            if self._result is None or time.monotonic() > self._looked + KEPT_S:
                self._result = await run_in_threadpool(_try_readiness, self._service)
                self._looked = time.monotonic()
            result = self._result
        if isinstance(result, Ready):
            return result
        raise result.with_traceback(None)


def check_readiness(service: Service) -> Ready:
    """Check readiness by encoding a draft with the models and searching the archive for it.

    Raises:
        NothingPublished: there is no archive yet.
        StoreError: the archive cannot be reached or cannot be searched.
        TaskError, ModelError: the models do not run.
    """
    published = service.store.published()
    if published is None:
        raise NothingPublished("nothing is published")
    payload = {"title": CHECKED.title, "left": CHECKED.left}
    (read,) = service.runner.run("draft", [payload], timeout_s=CHECK_TIMEOUT_S)
    is_comparable = published.encoder == service.models.hashes["encoder"]
    encoded = EncodedDraft(vector=read["vector"] if is_comparable else None)
    with limit_time(CHECK_TIMEOUT_S):  # loading the models may take longer
        search(service.store, CHECKED, encoded, Filter(), depth=1)
    return Ready(generation=published.name, documents=published.documents, paragraphs=published.paragraphs)


def _try_readiness(service: Service) -> Ready | RostrumError:
    try:
        return check_readiness(service)
    except DeadlineExceeded as error:
        return TaskError(str(error))  # the deadline is not the client's: the models are late
    except RostrumError as error:
        return error
