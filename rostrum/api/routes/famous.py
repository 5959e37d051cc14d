"""`/v1/famous`: find the well-known quote that fits into the gap between two texts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace, ReadingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, MOST_RESULTS, Milliseconds, Names, Text
from rostrum_core.famous_quotes import AttributionStatus, QuoteFilter, RankedQuote

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["famous"])
LONGEST_QUOTE_WORDS = 100_000
Words = Annotated[int | None, Field(ge=1, le=LONGEST_QUOTE_WORDS)]


class QuoteFilterForm(Form):
    """A filter of well-known quotes; an empty list means any.

    `authors` are names or parts of names. Lengths are inclusive, in words.
    """

    authors: Names = Field(default_factory=list)
    traditions: Names = Field(default_factory=list)
    statuses: Annotated[
        list[Annotated[AttributionStatus, Field(strict=False)]], Field(max_length=len(AttributionStatus))
    ] = Field(default_factory=list)
    least_words: Words = None
    most_words: Words = None

    def filter(self) -> QuoteFilter:
        """Convert the form to a filter of well-known quotes."""
        lists = {name: tuple(getattr(self, name)) for name in ("authors", "traditions", "statuses")}
        return QuoteFilter(**lists, least_words=self.least_words, most_words=self.most_words)


class FamousForm(Form):
    """The text before and after the gap that a quote is to fill; one of them may be empty.

    If `right` is empty, `left` may mark the gap with `[quote]`.
    """

    model_config = show_examples(
        {
            "left": "The parties will not speak to each other, and brother is set against brother.",
            "right": "So the senator ended, and left the hall.",
            "limit": 3,
            "filter": {"authors": ["Lincoln"], "most_words": 20},
        }
    )

    left: Text = ""
    right: Text = ""
    list: Annotated[str | None, Field(max_length=LONGEST_NAME)] = None
    filter: QuoteFilterForm = Field(default_factory=QuoteFilterForm)
    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10
    timeout_ms: Milliseconds = None


class FamousAnswerForm(BaseModel):
    """The quotes for the gap between two texts, best first, with the list and the models that were used."""

    quotes: tuple[RankedQuote, ...]
    list: str
    listed: int
    models: dict[str, str]
    elapsed_s: float


class QuoteListsForm(BaseModel):
    """The names of the lists of quotes, the shipped one first."""

    lists: list[str]


@router.post("/famous", response_model=FamousAnswerForm, dependencies=[READ, NoParameters, RankingPlace])
def find_famous_quotes(form: FamousForm, assembly: Assembled) -> dict[str, Any]:
    """Rank well-known quotes for the gap between two texts, with the metadata of their sources."""
    service = assembly.service
    with limit_request_time(form.timeout_ms, service.settings.timeout_s) as timeout_s:
        answer = service.famous(
            form.left,
            form.right,
            list_name=form.list,
            filter=form.filter.filter(),
            limit=form.limit,
            timeout_s=timeout_s,
        )
    return asdict(answer)


@router.get("/famous/lists", response_model=QuoteListsForm, dependencies=[READ, NoParameters, ReadingPlace])
def list_quote_lists(assembly: Assembled) -> dict[str, Any]:
    """List the names of quote lists, for the field `list` of `/v1/famous`."""
    return {"lists": assembly.service.lists.list_names()}
