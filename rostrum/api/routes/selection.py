"""`/v1/facets` and `DELETE /v1/documents`: count or delete the documents that a filter selects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from jobs.filters import is_selected, read_filter
from rostrum.api.edge.access_log import note
from rostrum.api.edge.auth import ADMIN, READ
from rostrum.api.edge.conditional import require_match
from rostrum.api.routes.dependencies import Assembled, ReadingPlace, WritingPlace, forbid_repeats
from rostrum.api.routes.drafts import FilterQuery, name_parameters
from rostrum.api.routes.generations import NOT_MODIFIED, answer_once, get_published_name, require_generation
from rostrum_core.errors import BadInput
from rostrum_core.types import DocumentInfo, Filter

router = APIRouter(prefix="/v1", tags=["documents"])
Generation = Annotated[
    str | None, Field(max_length=100, description="Change the archive only if this generation is published")
]
MOST_NOTED = 100
"""Most ids of deleted documents in the log and in the response."""


class SelectionQuery(FilterQuery):
    """Parameters that select documents; without parameters, all documents are selected."""

    def filter(self) -> Filter:
        """Convert the parameters to a filter of documents.

        Raises:
            BadInput: a date cannot be read, the first day is after the last, or a name is empty.
        """
        with name_parameters():
            return read_filter(**self.collect_values())


class DeletionQuery(SelectionQuery):
    """Parameters that select the documents to delete; at least one is required."""

    dry_run: Annotated[bool, Field(description="Say what would be deleted, and delete nothing")] = False
    generation: Generation = None


class Facet(BaseModel):
    """A value of a facet, such as a speaker's name, and the number of selected documents that have it."""

    value: str
    documents: int


class Facets(BaseModel):
    """The speakers, collections, languages and years of the selected documents, the most frequent first."""

    documents: int
    speakers: list[Facet]
    collections: list[Facet]
    languages: list[Facet]
    years: list[Facet]
    generation: str | None


class Deletion(BaseModel):
    """The documents that were deleted, or that would be deleted without `dry_run`."""

    deleted: int
    documents: Annotated[list[str], Field(description="The ids, the first 100")]
    generation: str | None


@router.get(
    "/facets",
    response_model=Facets,
    responses=NOT_MODIFIED,
    dependencies=[READ, ReadingPlace, forbid_repeats(SelectionQuery)],
)
def count_facets(
    query: Annotated[SelectionQuery, Query()], assembly: Assembled, request: Request, response: Response
) -> Any:
    """Count speakers, collections, languages and years of the documents that a filter selects."""
    chosen, store = query.filter(), assembly.service.store

    def count(generation: str | None) -> Facets:
        return tally_facets([info for info in store.documents() if is_selected(info, chosen)], generation)

    return answer_once(request, response, store, count)


@router.delete("/documents", dependencies=[ADMIN, WritingPlace, forbid_repeats(DeletionQuery)])
def delete_documents(
    query: Annotated[DeletionQuery, Query()], assembly: Assembled, request: Request
) -> Deletion:
    """Delete the documents that a filter selects, in one step; without a parameter, nothing is deleted."""
    chosen, writer = query.filter(), assembly.service.open_writer()
    if chosen == Filter():
        raise BadInput("name the documents to delete by a parameter such as speaker or collection")
    require_match(request, ())
    base = get_published_name(writer.store)
    require_generation(base, query.generation)
    ids = [info.id for info in writer.store.documents() if is_selected(info, chosen)]
    shown = ids[:MOST_NOTED]
    if not ids or query.dry_run:
        return Deletion(deleted=len(ids), documents=shown, generation=None)
    generation = writer.withdraw(ids, base=base)
    note(request.scope, documents=shown, deleted=len(ids), generation=generation)
    return Deletion(deleted=len(ids), documents=shown, generation=generation)


def tally_facets(infos: Iterable[DocumentInfo], generation: str | None) -> Facets:
    """Count the speakers, collections, languages and years of documents.

    A document with several speakers counts once for each of them.
    """
    counts: dict[str, Counter[str]] = {
        name: Counter() for name in ("speakers", "collections", "languages", "years")
    }
    documents = 0
    for info in infos:
        documents += 1
        counts["speakers"].update(set(info.speakers or filter(None, [info.speaker])))
        counts["collections"].update(filter(None, [info.collection]))
        counts["languages"].update(filter(None, [info.language]))
        counts["years"].update(filter(None, [(info.spoken_on or "")[:4]]))
    return Facets(
        documents=documents, generation=generation, **{k: _sort_facets(v) for k, v in counts.items()}
    )


def _sort_facets(counts: Counter[str]) -> list[Facet]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [Facet(value=value, documents=number) for value, number in ordered]
