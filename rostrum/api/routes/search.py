"""`/v1/search`: search paragraphs for a draft without the ranker, one page of results at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from archive.service import Service
from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.traces import trace_stage
from rostrum.api.routes.answers import respond
from rostrum.api.routes.dependencies import Assembled, NoParameters, ReadingPlace, forbid_repeats
from rostrum.api.routes.drafts import (
    LONGEST_QUERY,
    MOON,
    MOST_CANDIDATES,
    MOST_RESULTS,
    Day,
    DraftForm,
    FilterForm,
    FilterQuery,
    name_parameters,
)
from rostrum.api.routes.generations import require_generation
from rostrum.api.routes.recommend import AnswerForm
from rostrum_core.types import Answer

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["drafts"])
Limit = Annotated[int, Field(ge=1, le=MOST_RESULTS)]
Offset = Annotated[int, Field(ge=0, le=MOST_RESULTS)]


class SearchForm(DraftForm):
    """A search request. A search finds the best paragraphs, and returns one page of them.

    `candidates` is the greatest number of paragraphs to find (1,000 by default).
    """

    model_config = show_examples({**MOON, "limit": 5, "offset": 5})

    limit: Limit = 10
    offset: Offset = 0
    generation: Annotated[str | None, Field(max_length=100)] = None


class SearchQuery(FilterQuery):
    """Parameters of a search request in a URL: `q` is the text before the place of the quote."""

    q: Annotated[str, Field(max_length=LONGEST_QUERY)]
    written_on: Day = None
    limit: Limit = 10
    offset: Offset = 0
    generation: Annotated[str | None, Field(max_length=100)] = None

    def build_form(self) -> SearchForm:
        """Convert the parameters of a `GET` request to the body that a `POST` request would have."""
        return SearchForm(
            left=self.q,
            written_on=self.written_on,
            filter=FilterForm(**self.collect_values()),
            limit=self.limit,
            offset=self.offset,
            generation=self.generation,
        )


@router.get(
    "/search",
    response_model=AnswerForm,
    responses={304: {"description": "The client has this answer: its ETag is the one sent"}},
    dependencies=[READ, forbid_repeats(SearchQuery), ReadingPlace],
)
def search_by_address(
    query: Annotated[SearchQuery, Query()], assembly: Assembled, request: Request
) -> Response:
    """Search paragraphs with `GET`, so that the search has a URL that can be saved; the ranker is not
    used.
    """
    with name_parameters():
        return search(query.build_form(), assembly, request)


@router.post("/search", response_model=AnswerForm, dependencies=[READ, NoParameters, ReadingPlace])
def search(form: SearchForm, assembly: Assembled, request: Request) -> Response:
    """Search paragraphs by the first stage only: BM25, vectors and the draft's quotations, without the
    ranker.
    """
    published = assembly.service.store.published()
    require_generation(published.name if published else None, form.generation)
    return respond(request, assembly, form, lambda: (_search_page(form, assembly.service), None))


def _search_page(form: SearchForm, service: Service) -> Answer:
    answer = service.recommend(
        form.build_draft(),
        filter=form.filter.filter(service.store),
        limit=form.offset + form.limit,
        candidates=MOST_CANDIDATES if form.candidates is None else form.candidates,
        timeout_s=form.limit_timeout(service.settings.timeout_s),
        ranked=False,
        around=trace_stage,
    )
    require_generation(answer.generation, form.generation)
    return replace(answer, recommendations=answer.recommendations[form.offset :])
