"""`/v1/documents`: what the archive holds, page by page and one by one."""

from __future__ import annotations

from http import HTTPStatus
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from indexer.characters import one_line
from rostrum.api.edge.auth import needs
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.keys import KeyScope
from rostrum.api.routes.dependencies import (
    Assembled,
    Assembly,
    NoParameters,
    ReadingPlace,
    WritingPlace,
    once,
    writer,
)
from rostrum_core.types import Document, DocumentInfo, Paragraph

router = APIRouter(prefix="/v1/documents", tags=["documents"])


class ListQuery(BaseModel):
    """Which page of the documents, ordered by id: those after the id `after`."""

    model_config = ConfigDict(extra="forbid")

    after: str = ""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class Listing(BaseModel):
    """A page of documents; `next` is the `after` of the page that follows, null where this is the last."""

    documents: list[DocumentInfo]
    next: str | None


class Speech(BaseModel):
    """A document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


class Withdrawal(BaseModel):
    """The generation that is published without the document."""

    generation: str


@router.get("", dependencies=[needs(KeyScope.READ), once(ListQuery), ReadingPlace])
def listing(asked: Annotated[ListQuery, Query()], assembly: Assembled) -> Listing:
    """What is known of the documents, ordered by id."""
    found = list(islice(assembly.service.store.documents(after=asked.after), asked.limit + 1))
    page = found[: asked.limit]
    return Listing(documents=page, next=page[-1].id if len(found) > asked.limit else None)


@router.get("/{document_id:path}", dependencies=[needs(KeyScope.READ), NoParameters, ReadingPlace])
def get(document_id: str, assembly: Assembled) -> Speech:
    """A document, and its paragraphs as they are searched."""
    found = assembly.service.store.get(one_line(document_id))
    if found is None:
        raise _unknown(document_id)
    document, paragraphs = found
    return Speech(document=document, paragraphs=paragraphs)


@router.delete("/{document_id:path}", dependencies=[needs(KeyScope.ADMIN), NoParameters, WritingPlace])
def delete(document_id: str, assembly: Assembled) -> Withdrawal:
    """Takes a document out of the archive; readers see it until the state without it is published."""
    known = one_line(document_id)
    _check_known(known, assembly)
    return Withdrawal(generation=writer(assembly.service).withdraw([known]))


def _check_known(document_id: str, assembly: Assembly) -> None:
    if not list(assembly.service.store.documents([document_id])):
        raise _unknown(document_id)


def _unknown(document_id: str) -> Refused:
    return Refused(HTTPStatus.NOT_FOUND, "not_found", f"no document {document_id!r} in the archive")
