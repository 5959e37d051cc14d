"""`/v1/uploads`: accept speeches, and add them to the archive after the response.

Adding them may take longer than a connection lasts.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from archive.service import Service
from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import WRITE
from rostrum.api.edge.errors import LOG, Refused, refuse_missing
from rostrum.api.routes.bulk import BODY, RETRY, FieldsQuery, Spooled, fill_archive
from rostrum.api.routes.dependencies import NoParameters, forbid_repeats
from rostrum.api.uploads import TooManyUploads, UploadQueue
from rostrum_core.errors import TaskError
from rostrum_core.uploads import BulkReport, Upload

router = APIRouter(prefix="/v1/uploads", tags=["documents"], dependencies=[WRITE])
UploadId = Annotated[str, Path(max_length=100)]


class UploadListing(BaseModel):
    """The uploads of the last week, the newest first."""

    uploads: list[Upload]


def make_queue(service: Service) -> UploadQueue:
    """Return the queue in which uploads wait until their speeches are added to the service's archive."""

    def fill(body: FilePath, fields: Mapping[str, str], on_progress: Any) -> BulkReport:
        try:
            return fill_archive(service, body, ids=[], fields=fields, on_progress=on_progress)
        except Refused as error:
            raise TaskError(str(error.detail)) from error

    return UploadQueue(service.settings.archive / "uploads", fill)


def get_queue(request: Request) -> UploadQueue:
    """Return the queue of uploads, from the application that serves this request."""
    queue: UploadQueue = request.app.state.uploads
    return queue


Queue = Annotated[UploadQueue, Depends(get_queue)]


@router.post(
    "", status_code=HTTPStatus.ACCEPTED, openapi_extra=BODY, dependencies=[forbid_repeats(FieldsQuery)]
)
async def submit_upload(
    query: Annotated[FieldsQuery, Query()], body: Spooled, queue: Queue, request: Request, response: Response
) -> Upload:
    """Accept speeches, and add them to the archive after the response, one upload at a time.

    `Location` is the address of the upload's state. An accepted upload survives a restart of the service.
    """
    fields = query.read_names()
    try:
        upload = await run_in_threadpool(queue.submit, body, fields)
    except TooManyUploads as error:
        raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "too_many_requests", str(error), headers=RETRY) from error
    except OSError as error:
        LOG.error("no_room", extra={"reason": error.strerror})
        message = "there is no room for an upload here"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "no_room", message, headers=RETRY) from error
    note(request.scope, upload=upload.id)
    response.headers["Location"] = f"{router.prefix}/{upload.id}"
    return upload


@router.get("", dependencies=[NoParameters])
def list_uploads(queue: Queue) -> UploadListing:
    """List the uploads of the last week."""
    return UploadListing(uploads=queue.list_all())


@router.get("/{upload_id}", dependencies=[NoParameters])
def get_upload(upload_id: UploadId, queue: Queue) -> Upload:
    """Return an upload with its progress, or with its result."""
    with refuse_missing(f"no upload {upload_id!r} in the last week"):
        return queue.find(upload_id)


@router.delete("/{upload_id}", dependencies=[NoParameters])
def cancel_upload(upload_id: UploadId, queue: Queue) -> Upload:
    """Cancel an upload: a running one ends within seconds. Published speeches stay."""
    with refuse_missing(f"no upload {upload_id!r} in the last week"):
        return queue.cancel(upload_id)
