"""`/v1/quoted-by`: list who quoted a speech, if the operator has aligned articles with the archive."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from archive.quoted_by import Quoting, Quotings, place_quotings
from rostrum.api.edge.auth import READ
from rostrum.api.routes.dependencies import Assembled, ReadingPlace, forbid_repeats
from rostrum.api.routes.drafts import LONGEST_NAME

router = APIRouter(prefix="/v1/quoted-by", tags=["documents"])


class QuotedQuery(BaseModel):
    """The id of a speech; the answer lists the articles that quote it."""

    model_config = ConfigDict(extra="forbid")

    document: Annotated[str, Field(max_length=LONGEST_NAME, description="The id of the speech")]


class QuotedListing(BaseModel):
    """The words of a speech that articles quote, in the order in which they stand in the speech."""

    quotations: list[Quoting]


@router.get("", dependencies=[READ, forbid_repeats(QuotedQuery), ReadingPlace])
def list_quotations(
    query: Annotated[QuotedQuery, Query()], request: Request, assembly: Assembled
) -> QuotedListing:
    """List the articles that quote a speech, with the words."""
    listed = get_quotings(request).list_quotings(query.document)
    stored = assembly.service.store.get(query.document) if listed else None
    return QuotedListing(quotations=place_quotings(listed, stored[1]) if stored else listed)


def get_quotings(request: Request) -> Quotings:
    """Return the index of articles that quote speeches, from the application that serves this request."""
    quotings: Quotings = request.app.state.quotings
    return quotings
