"""`POST /v1/documents`: add speeches as JSON lines, many at a time."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import Scope

from archive.cleaning_rules import boilerplate
from archive.refresh import Observer, RefreshOptions
from archive.service import Service
from indexer.boilerplate import Boilerplate
from indexer.ingest import read
from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import needs
from rostrum.api.edge.capacity import client_of
from rostrum.api.edge.conditional import require_match
from rostrum.api.edge.errors import RETRY_S, Refused, media_type
from rostrum.api.edge.keys import KeyScope
from rostrum.api.routes.dependencies import Assembled, once, writer
from rostrum.api.routes.generations import published_name, require_generation
from rostrum.api.routes.selection import Generation
from rostrum_core.errors import BadInput, PassedOver, TranscriptError
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Document

LOG = logging.getLogger("rostrum.api")
RETRY = {"Retry-After": str(RETRY_S)}
router = APIRouter(prefix="/v1/documents", tags=["documents"])
KIND = "application/x-ndjson"
MOST_TOLD = 100  # lines of each sort; the report counts all that were refused
EXAMPLE = (
    '{"id": "gettysburg", "title": "Gettysburg Address", "speaker": "Abraham Lincoln", "date": "1863-11-19",'
    ' "paragraphs": ["Four score and seven years ago our fathers brought forth, upon this continent, a new'
    ' nation."]}\n'
)
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {KIND: {"schema": {"type": "string"}, "example": EXAMPLE}},
    }
}


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A refused line of the body (from 1) or document, with the reason.

    If a line was only partly refused, it is one field that is missing.
    """

    line: int | None
    document: str | None
    reason: str


class UploadQuery(BaseModel):
    """Options of an upload."""

    model_config = ConfigDict(extra="forbid")

    dry_run: Annotated[bool, Field(description="Say what would be added and replaced, and write nothing")] = (
        False
    )
    generation: Generation = None


class BulkReport(BaseModel):
    """The result of a refresh, with the first lines that were refused or lost a field."""

    report: Report
    refused: list[RefusedLine]
    passed_over: list[RefusedLine]


async def spool(request: Request, assembly: Assembled) -> AsyncIterator[Path]:
    """Write the body to a file as it arrives, and yield the file's path; it is deleted with the request.

    The file has no name, so that nothing of it is left even if this process is killed.

    Raises:
        Refused: its media type is not plain JSON lines, or there is no room for it.
    """
    if media_type(request) != KIND:
        message = f"send JSON lines with Content-Type: {KIND}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    if request.headers.get("content-encoding", "identity") != "identity":
        message = "send JSON lines as they are, not compressed: no Content-Encoding is read"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    await run_in_threadpool(_check_models, assembly.service)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.TemporaryFile(buffering=0))
            async for piece in request.stream():
                file.write(piece)
        except OSError as error:
            LOG.error("no_room", extra={"reason": error.strerror})
            message = "there is no room for an upload here"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "no_room", message, headers=RETRY) from error
        yield Path(f"/proc/self/fd/{file.fileno()}")


Spooled = Annotated[Path, Depends(spool)]


@router.post("", openapi_extra=BODY, dependencies=[needs(KeyScope.WRITE), once(UploadQuery)])
async def add_documents(
    asked: Annotated[UploadQuery, Query()], body: Spooled, assembly: Assembled, request: Request
) -> BulkReport:
    """Add speeches, replace those of the same id, and publish the new state, as `rostrum index` does.

    Nothing else is published: what an interrupted refresh left unfinished is discarded.
    """
    require_match(request, ())
    async with assembly.places.writing.place(client_of(request.scope)):
        return await run_in_threadpool(_refresh, assembly.service, body, request.scope, asked)


def _refresh(service: Service, body: Path, scope: Scope, asked: UploadQuery) -> BulkReport:
    _check_models(service)
    require_generation(published_name(service.store), asked.generation)
    refusals, ids = Refusals(body), list[str]()
    documents = read([body], kind="jsonl", refused=refusals.add, boilerplate=_rules(service))
    observer = Observer(count_refused=lambda: refusals.count, refuse=refusals.add)
    options = RefreshOptions(resume=False, base=asked.generation)
    own = writer(service)
    bring = own.preview if asked.dry_run else own.refresh
    report = bring(_noting(documents, ids), options, observer)
    if asked.dry_run:
        return BulkReport(report=report, refused=refusals.first, passed_over=refusals.passed_over)
    note(scope, documents=ids, generation=report.generation, added=report.added, replaced=report.replaced)
    return BulkReport(report=report, refused=refusals.first, passed_over=refusals.passed_over)


def _noting(documents: Iterable[Document], ids: list[str]) -> Iterator[Document]:
    """Yield the documents, and add the ids of the first `MOST_TOLD` to `ids`."""
    for document in documents:
        if len(ids) < MOST_TOLD:
            ids.append(document.id)
        yield document


def _check_models(service: Service) -> None:
    """Refuse an upload that would encode the whole archive again: no request lasts so long.

    Raises:
        Refused: other models encoded the archive.
    """
    if not service.fits_archive():
        told = "other models encoded the archive: it takes speeches again after a refresh"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "other_models", told)


def _rules(service: Service) -> Boilerplate:
    """Load the rules of the service, which its operator may have broken since it started.

    Raises:
        Refused: they are invalid.
    """
    try:
        return boilerplate(service.settings.rules)
    except BadInput as error:
        LOG.error("rules_unavailable", extra={"reason": str(error)})
        told = "the rules by which this service reads speeches cannot be used"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "rules_unavailable", told, headers=RETRY) from error


class Refusals:
    """Count refused lines or documents, and keep the first messages, also of those partly refused.

    The errors themselves are not kept: each holds the frames that it came through, some kilobytes.
    """

    def __init__(self, body: Path) -> None:
        self._body = str(body)
        self.count = 0
        self.first: list[RefusedLine] = []
        self.passed_over: list[RefusedLine] = []

    def add(self, error: TranscriptError) -> None:
        """Count an error, and keep its message without the name of our file, if it is among the first.

        A `PassedOver` costs no speech, and is not counted.
        """
        is_refused = not isinstance(error, PassedOver)
        self.count += is_refused
        noted = self.first if is_refused else self.passed_over
        if len(noted) < MOST_TOLD:
            document = None if error.file == self._body else error.file
            reason = error.reason.replace(self._body, "this body")
            noted.append(RefusedLine(error.line, document, reason))
