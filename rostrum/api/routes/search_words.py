"""`/v1/search/words`: search by words and phrases, as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from archive.service import Service
from jobs.filters import check_known, read_filter
from jobs.search.job import Order, SearchPage
from rostrum.api.edge.auth import READ
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.edge.traces import trace_stage
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembled, ReadingPlace, forbid_repeats
from rostrum.api.routes.drafts import LONGEST_QUERY, MOST_RESULTS, FilterQuery, name_parameters

router = APIRouter(prefix="/v1", tags=["drafts"])
SHOWN = 20


class WordsQuery(FilterQuery):
    """A search by words and phrases, as the parameters of a URL."""

    q: Annotated[str, Field(max_length=LONGEST_QUERY, description="Words, and phrases in quotation marks")]
    sort: Annotated[Order, Field(description="Best fit first, or by date")] = "fit"
    limit: Annotated[int, Field(ge=1, le=100)] = SHOWN
    offset: Annotated[int, Field(ge=0, le=MOST_RESULTS)] = 0


@router.get("/search/words", dependencies=[READ, forbid_repeats(WordsQuery), ReadingPlace])
def search_by_words(query: Annotated[WordsQuery, Query()], assembly: Assembled) -> SearchPage:
    """Search paragraphs by words and phrases, with the ranges of the words, and facets of all results."""
    with name_parameters():
        return find_page(query, assembly.service)


def find_page(query: WordsQuery, service: Service) -> SearchPage:
    """Search paragraphs by words and phrases, and return the requested page of results.

    Raises:
        BadInput: the query has no word, or the filter is invalid.
    """
    chosen = read_filter(**query.collect_values())
    check_known(service.store, chosen)
    with limit_request_time(None, service.settings.timeout_s):
        return service.search_words(
            replace_surrogates(query.q),
            filter=chosen,
            order=query.sort,
            offset=query.offset,
            limit=query.limit,
            around=trace_stage,
        )
