"""`/v1/documents`: list the documents of the archive, and get or delete one."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from importlib.metadata import version
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import ADMIN, READ
from rostrum.api.edge.conditional import CACHE_CONTROL, has_answer, has_any, require_match
from rostrum.api.edge.errors import Refused
from rostrum.api.routes.dependencies import (
    Assembled,
    NoParameters,
    ReadingPlace,
    WritingPlace,
    forbid_repeats,
)
from rostrum.api.routes.generations import NOT_MODIFIED, answer_once
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Document, DocumentInfo, Paragraph

PACKED = "-gzip"
"""Suffix of a document's tag if the response may be compressed: strong tags must differ for such
responses.
"""

router = APIRouter(prefix="/v1/documents", tags=["documents"])


class ListQuery(BaseModel):
    """The requested page of the documents, ordered by id."""

    model_config = ConfigDict(extra="forbid")

    after: Annotated[str, Field(description="The id after which the page begins")] = ""
    limit: Annotated[int, Field(ge=1, le=1_000, description="Maximum number of documents")] = 100
    generation: Annotated[
        str | None, Field(max_length=100, description="The generation of the pages before this one")
    ] = None


class Listing(BaseModel):
    """A page of documents."""

    documents: list[DocumentInfo]
    next: Annotated[
        str | None, Field(description="The `after` of the page that follows; null after the last")
    ]
    generation: Annotated[str | None, Field(description="The state of the archive that was listed")]


class Speech(BaseModel):
    """A document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


class Withdrawal(BaseModel):
    """The generation (version of the archive) that was published without the deleted document."""

    generation: str


@router.get(
    "",
    response_model=Listing,
    responses=NOT_MODIFIED,
    dependencies=[READ, ReadingPlace, forbid_repeats(ListQuery)],
)
def list_documents(
    query: Annotated[ListQuery, Query()], assembly: Assembled, request: Request, response: Response
) -> Any:
    """List the metadata of the documents, ordered by id."""

    def read_page(generation: str | None) -> Listing:
        infos = list(islice(assembly.service.store.documents(after=query.after), query.limit + 1))
        shown = infos[: query.limit]
        following = shown[-1].id if len(infos) > query.limit else None
        return Listing(documents=shown, next=following, generation=generation)

    return answer_once(request, response, assembly.service.store, read_page, wanted=query.generation)


@router.get(
    "/{document_id:path}",
    response_model=Speech,
    responses=NOT_MODIFIED,
    dependencies=[READ, NoParameters, ReadingPlace],
)
def get_document(document_id: str, assembly: Assembled, request: Request, response: Response) -> Any:
    """Return a document with its paragraphs as they are searched; its `ETag` changes only if the document
    does.
    """
    speech = _read_speech(document_id, assembly.service.store)
    tag = _tag_speech(speech)
    if "gzip" in request.headers.get("accept-encoding", ""):
        tag += PACKED
    headers = {"ETag": f'"{tag}"', "Cache-Control": CACHE_CONTROL}
    if has_answer(request, tag) or has_any(request):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    response.headers.update(headers)
    return speech


@router.delete("/{document_id:path}", dependencies=[ADMIN, NoParameters, WritingPlace])
def delete_document(document_id: str, assembly: Assembled, request: Request) -> Withdrawal:
    """Delete a document by publishing a generation without it; until then, readers still see it.

    With `If-Match`, delete it only if it still has this `ETag`.
    """
    note(request.scope, documents=[document_id])
    writer = assembly.service.open_writer()
    published = writer.store.published()
    tag = _tag_speech(_read_speech(document_id, writer.store))
    require_match(request, (tag, tag + PACKED))
    base = published.name if published else None
    generation = writer.withdraw([document_id], base=base)
    note(request.scope, generation=generation)
    return Withdrawal(generation=generation)


def _read_speech(document_id: str, store: ParagraphStore) -> Speech:
    """Return a document with its paragraphs.

    Raises:
        Refused: the document is not in the archive.
    """
    match = store.get(document_id)
    if match is None:
        message = f"no document {document_id!r} in the archive"
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message)
    return Speech(document=match[0], paragraphs=match[1])


def _tag_speech(speech: Speech) -> str:
    """Return the text of the strong `ETag` of a document: a hash of the document's uncompressed JSON."""
    facts = f"{version('rostrum-quotes')} {speech.model_dump_json()}"
    return hashlib.sha256(facts.encode()).hexdigest()[:32]
