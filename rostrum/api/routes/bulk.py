"""`POST /v1/documents`: add speeches as JSON lines, many at a time."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import Scope

from archive.cleaning_rules import load_boilerplate
from archive.history import record_upload
from archive.index_files import MissingFields
from archive.refresh import Observer, RefreshOptions
from archive.service import Service
from indexer.boilerplate import Boilerplate
from indexer.ingest import read
from indexer.metadata import NOT_RENAMED, require_read_names
from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import WRITE
from rostrum.api.edge.capacity import get_client_name
from rostrum.api.edge.conditional import require_match
from rostrum.api.edge.errors import RETRY_S, Refused, read_media_type
from rostrum.api.routes.dependencies import Assembled, forbid_repeats
from rostrum.api.routes.generations import get_published_name, require_generation
from rostrum.api.routes.selection import Generation
from rostrum_core.errors import BadInput, PassedOver, TranscriptError
from rostrum_core.refresh_jobs import Progress
from rostrum_core.types import Document
from rostrum_core.uploads import BulkReport, RefusedLine

LOG = logging.getLogger("rostrum.api")
RETRY = {"Retry-After": str(RETRY_S)}
router = APIRouter(prefix="/v1/documents", tags=["documents"])
KIND = "application/x-ndjson"
MOST_LISTED = 100  # lines of each sort; the report counts all that were refused
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


Renamed = Annotated[str, Field(max_length=2_000, pattern="^[^=]+=[^=]+$")]


class FieldsQuery(BaseModel):
    """Parameters that say which fields of the speeches have unusual names: `map=title=Headline`."""

    model_config = ConfigDict(extra="forbid")

    map: Annotated[
        list[Renamed], Field(max_length=100, description="Reads the field FIELD as NAME, by NAME=FIELD")
    ] = []

    def read_names(self) -> dict[str, str]:
        """Return the usual name of each renamed field: `title=Headline` -> `{"Headline": "title"}`.

        Raises:
            BadInput: a name is not one of the usual ones.
        """
        pairs = (option.split("=") for option in self.map)
        return require_read_names({field: name for name, field in pairs})


class UploadQuery(FieldsQuery):
    """Parameters of an upload: renamed fields, dry run or not, the generation that must be published."""

    dry_run: Annotated[bool, Field(description="Say what would be added and replaced, and write nothing")] = (
        False
    )
    generation: Generation = None


async def spool(request: Request, assembly: Assembled) -> AsyncIterator[Path]:
    """Write the request body to a temporary file as it arrives, and yield the file's path.

    The path leads to the open file through `/proc`. The file is in no folder, so that it disappears even if
    this process is killed.

    Raises:
        Refused: the media type is not plain JSON lines, or there is no room for the file.
    """
    if read_media_type(request) != KIND:
        message = f"send JSON lines with Content-Type: {KIND}"
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


@router.post("", openapi_extra=BODY, dependencies=[WRITE, forbid_repeats(UploadQuery)])
async def add_documents(
    query: Annotated[UploadQuery, Query()], body: Spooled, assembly: Assembled, request: Request
) -> BulkReport:
    """Add speeches, replace those with the same id, and publish the result, as `rostrum index` does.

    An interrupted refresh's unfinished work is discarded, not published.
    """
    require_match(request, ())
    async with assembly.places.writing.place(get_client_name(request.scope)):
        return await run_in_threadpool(_refresh, assembly.service, body, request.scope, query)


def _refresh(service: Service, body: Path, scope: Scope, query: UploadQuery) -> BulkReport:
    require_generation(get_published_name(service.store.writer()), query.generation)
    ids = list[str]()
    fields = query.read_names()
    result = fill_archive(service, body, ids=ids, fields=fields, dry_run=query.dry_run, base=query.generation)
    if not query.dry_run:
        report = result.report
        note(scope, documents=ids, generation=report.generation, added=report.added, replaced=report.replaced)
    return result


def fill_archive(
    service: Service,
    body: Path,
    *,
    ids: list[str],
    dry_run: bool = False,
    base: str | None = None,
    fields: Mapping[str, str] = NOT_RENAMED,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> BulkReport:
    """Add the speeches of a request body to the archive.

    The ids of the first `MOST_LISTED` speeches are appended to `ids`. If the body has other names of fields
    than usual, `fields` maps its names, in lower case, to the usual ones.

    Raises:
        Refused: other models encoded the archive, or the rules of the service are invalid.
        ArchiveBusy, StoreError, TaskError: as `archive.refresh.refresh`.
    """
    own, missing = service.open_writer(), MissingFields()
    _check_models(own)
    refusals = Refusals(body)
    documents = read(
        [body], kind="jsonl", refused=refusals.add, fields=fields, boilerplate=_load_rules(service)
    )
    observer = Observer(count_refused=lambda: refusals.count, refuse=refusals.add, on_progress=on_progress)
    bring = own.preview if dry_run else own.refresh
    report = bring(_observe(documents, ids, missing), RefreshOptions(resume=False, base=base), observer)
    report = replace(report, without_speaker=missing.speakers, without_date=missing.dates)
    if not dry_run:
        record_upload(service.settings.archive, report)
    return BulkReport(report, tuple(refusals.first), tuple(refusals.passed_over))


def _observe(documents: Iterable[Document], ids: list[str], missing: MissingFields) -> Iterator[Document]:
    """Yield the documents unchanged, and record facts about them for the response.

    `missing` counts the documents without a speaker or a date. `ids` gets the ids of the first `MOST_LISTED`
    documents.
    """
    for document in documents:
        missing.count(document)
        if len(ids) < MOST_LISTED:
            ids.append(document.id)
        yield document


def _check_models(service: Service) -> None:
    """Refuse an upload if other models than those in use encoded the archive.

    Such an upload would encode the whole archive again, which takes too long for one request.

    Raises:
        Refused: other models encoded the archive.
    """
    if not service.has_fitting_models():
        message = "other models encoded the archive: it takes speeches again after a refresh"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "other_models", message)


def _load_rules(service: Service) -> Boilerplate:
    """Load the rules for cleaning transcripts, which the operator may have changed since the service started.

    Raises:
        Refused: the rules are invalid.
    """
    try:
        return load_boilerplate(service.settings.rules)
    except BadInput as error:
        LOG.error("rules_unavailable", extra={"reason": str(error)})
        message = "the rules by which this service reads speeches cannot be used"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "rules_unavailable", message, headers=RETRY) from error


class Refusals:
    """Count refused lines and documents, and keep the messages about the first ones.

    Messages about inputs that were skipped, and about speeches that lost only a field, are kept separately.
    The errors themselves are not kept, because each error holds its stack frames, some kilobytes.
    """

    def __init__(self, body: Path) -> None:
        self._body = str(body)
        self.count = 0
        self.first: list[RefusedLine] = []
        self.passed_over: list[RefusedLine] = []

    def add(self, error: TranscriptError) -> None:
        """Count a refused line or document, and keep the message if it is among the first.

        The name of the temporary file is removed from the message. An error of the class `PassedOver` is not
        counted, because no speech was lost.
        """
        is_refused = not isinstance(error, PassedOver)
        self.count += is_refused
        noted = self.first if is_refused else self.passed_over
        if len(noted) < MOST_LISTED:
            document = None if error.file == self._body else error.file
            reason = error.reason.replace(self._body, "this body")
            noted.append(RefusedLine(error.line, reason, document))
