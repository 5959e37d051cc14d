"""`POST /v1/documents`: speeches as JSON lines, many at a time."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from indexer.ingest import read
from rostrum.api.auth import needs
from rostrum.api.dependencies import Parts, writer
from rostrum.api.errors import Refused
from rostrum.api.keys import KeyScope
from rostrum.core.errors import TranscriptError
from rostrum.core.jobs import Report
from rostrum.service.jobs import Service
from rostrum.service.rules import boilerplate

router = APIRouter(prefix="/v1/documents", tags=["documents"])
KIND = "application/x-ndjson"
MOST_TOLD = 100  # lines that were not read; the report counts all
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
    """What was not taken, and why: a line of the body, from 1, or a document that the archive refused."""

    line: int | None
    document: str | None
    reason: str


class BulkReport(BaseModel):
    """What a refresh did, and the first lines that were not read."""

    report: Report
    refused: list[RefusedLine]


async def spooled(request: Request, parts: Parts) -> Any:
    """The body in a file of its own, as it comes; the file and the upload's place go with the request.

    Raises:
        Refused: it is not said to be JSON lines, or others are being uploaded.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        told = f"send JSON lines with Content-Type: {KIND}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", told)
    with parts.uploads.place(), tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        async for piece in request.stream():
            file.write(piece)
        file.flush()
        yield Path(file.name)


@router.post("", openapi_extra=BODY, dependencies=[needs(KeyScope.WRITE)])
async def upsert(body: Annotated[Path, Depends(spooled)], parts: Parts) -> BulkReport:
    """Adds speeches, replaces those of the same id, and publishes the new state, as `rostrum index` does.

    Nothing else is published: what an interrupted refresh left unfinished is discarded.
    """
    with parts.capacity.place():
        return await run_in_threadpool(_refresh, parts.service, body)


def _refresh(service: Service, body: Path) -> BulkReport:
    refused: list[TranscriptError] = []
    rules = boilerplate(service.settings.rules)
    documents = read([body], kind="jsonl", refused=refused.append, boilerplate=rules)
    report = writer(service).refresh(
        documents, resume=False, refused=lambda: len(refused), refuse=refused.append
    )
    told = [_told(each, body) for each in refused[:MOST_TOLD]]
    return BulkReport(report=report, refused=told)


def _told(error: TranscriptError, body: Path) -> RefusedLine:
    """What was refused, without the name of our file."""
    document = None if error.file == str(body) else error.file
    return RefusedLine(error.line, document, error.reason.replace(str(body), "this body"))
