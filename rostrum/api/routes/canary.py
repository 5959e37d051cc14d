"""`/v1/canary`: saved drafts, whose top results are compared before something is published."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from archive.canary.check import compare_with_published
from archive.canary.comparison import Comparison
from archive.canary.saved_drafts import LONGEST_NAME, SavedDraft, SavedDrafts
from jobs.filters import check_known, check_speakers
from jobs.recommend.job import check_draft
from rostrum.api.edge.auth import ADMIN
from rostrum.api.edge.errors import refuse_missing
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import MOON, DraftForm, Names
from rostrum_core.errors import BadInput
from rostrum_core.types import Filter

router = APIRouter(
    route_class=StrictRoute, prefix="/v1/canary", tags=["generations"], dependencies=[ADMIN, NoParameters]
)
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class SavedForm(DraftForm):
    """A draft to save by name.

    `expect` are ids of speeches that must be among the first five results for the draft.
    """

    model_config = show_examples({"name": "moon", **MOON})

    name: Name
    expect: Names = Field(default_factory=list)


class CompareForm(Form):
    """The name of the generation (version of the archive) to compare with the published one."""

    model_config = show_examples({"generation": "000001"})

    generation: Annotated[str, Field(min_length=1, max_length=100)]


class SavedListing(BaseModel):
    """The saved drafts, ordered by name."""

    drafts: list[SavedDraft]


@router.get("")
def list_saved_drafts(assembly: Assembled) -> SavedListing:
    """List the saved drafts."""
    return SavedListing(drafts=open_drafts(assembly).read())


@router.post("", status_code=HTTPStatus.CREATED)
def save_draft(form: SavedForm, assembly: Assembled) -> SavedDraft:
    """Save a draft, in place of one of the same name."""
    store = assembly.service.store
    saved = SavedDraft(form.name, form.build_draft(), form.filter.filter(store), tuple(form.expect))
    check_draft(saved.draft)
    try:
        check_known(store, Filter(documents=saved.expect))
    except BadInput as error:
        raise BadInput(str(error), field="expect") from error
    check_speakers(store.documents() if saved.filter.speakers else (), saved.filter)
    open_drafts(assembly).save(saved)
    return saved


@router.post("/compare", dependencies=[RankingPlace])
def compare_generation(form: CompareForm, assembly: Assembled) -> Comparison:
    """Compare the top results of the saved drafts over a ready generation with those that readers get now."""
    return compare(form.generation, assembly)


@router.delete("/{name:path}", status_code=HTTPStatus.NO_CONTENT)
def delete_saved_draft(name: Annotated[str, Path(max_length=LONGEST_NAME)], assembly: Assembled) -> None:
    """Remove a saved draft."""
    with refuse_missing():
        open_drafts(assembly).remove(name)


def open_drafts(assembly: Assembled) -> SavedDrafts:
    """Return the drafts that were saved for comparisons, from the folder of the archive."""
    return SavedDrafts(assembly.service.settings.archive)


def compare(generation: str, assembly: Assembled) -> Comparison:
    """Compare the results of the saved drafts in a new generation of the archive with those in the published
    one.

    Raises:
        Refused: there is no such generation.
        BadInput: no draft is saved.
    """
    service, saved = assembly.service, open_drafts(assembly)
    if not saved.read():
        raise BadInput("no draft is saved: save one first")
    with refuse_missing():
        candidate = service.view(generation)
    comparison, _ = compare_with_published(service, candidate, saved)
    return comparison
