"""`/`: the page Write. A draft with the quotes that fit at its cursor, and verdicts on those in it already.

The whole page is one form, which works without scripts. The page's script sends the same form with the name
of a `part`, and shows the part that comes back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from archive.service import Service
from jobs.recommend.printing import check_span
from reranker.fit_probability import LIKELY, estimate_fit
from reranker.signals.exact_words import is_query
from rostrum.api.edge.auth import needs
from rostrum.api.edge.keys import KeyScope
from rostrum.api.edge.page_requests import is_for_page
from rostrum.api.edge.traces import stage_span
from rostrum.api.page.cards import (
    Card,
    Choice,
    count_choices,
    make_cards,
    make_quote,
    read_collection,
    read_decade,
    read_speaker,
)
from rostrum.api.page.draft_form import ChosenWords, DraftFields, read_fields, read_place, read_words
from rostrum.api.page.facet_cache import read_facets
from rostrum.api.page.rendering import render
from rostrum.api.page.verdicts import ShownVerdict, find_verdicts
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.reference import show_start
from rostrum_core.deadline import limit_time
from rostrum_core.errors import BadInput
from rostrum_core.types import Draft, Span

router = APIRouter(include_in_schema=False)
SHOWN: Final = 8
"""Cards of one answer."""

COMMAND: Final = re.compile(r"\s*\(--[^)]*\)")
"""Advice of a remark that only the command line can follow."""

PLACE_WORDS: Final = 8
"""Words before the cursor that name the place of the quote."""


@dataclass(frozen=True, slots=True)
class Results:
    """The cards for a draft, and what is said about them; `problem` says why there are none."""

    cards: Sequence[Card] = ()
    fit: float | None = None
    degraded: Sequence[str] = ()
    remarks: Sequence[str] = ()
    after: str = ""
    speakers: Sequence[Choice] = ()
    collections: Sequence[Choice] = ()
    decades: Sequence[Choice] = ()
    is_answered: bool = False
    problem: str | None = None

    @property
    def is_unlikely(self) -> bool:
        """True if nothing seems to fit well."""
        return bool(self.cards) and self.fit is not None and self.fit < LIKELY


async def read_form(request: Request) -> DraftFields:
    """Read the form of a request.

    Raises:
        BadInput: a field is too long, or is a file.
    """
    return read_fields(await request.form())


Fields = Annotated[DraftFields, Depends(read_form)]


@router.get("/", dependencies=[needs(KeyScope.READ), NoParameters])
async def show_write(request: Request, assembly: Assembled) -> Response:
    """Show an empty draft; to programs, the addresses of the service."""
    if not is_for_page(request.scope):
        return await show_start()
    facets = await run_in_threadpool(read_facets, assembly.service)
    return render(
        request, "write.html", fields=DraftFields(), results=Results(), verdicts=None, facets=facets
    )


@router.post("/", dependencies=[needs(KeyScope.READ), NoParameters, RankingPlace])
async def write(request: Request, fields: Fields, assembly: Assembled) -> Response:
    """Show the draft with its quotes and verdicts, or the one of them that the script asks for."""
    form, service = await request.form(), assembly.service
    part = form.get("part")
    if part == "words":
        words = await run_in_threadpool(_quote_words, read_words(form), service)
        return render(request, "write/words.html", **words)
    if part == "verdicts":
        verdicts = await run_in_threadpool(_find_verdicts, fields, service)
        return render(request, "write/verdicts.html", verdicts=verdicts)
    results = await run_in_threadpool(_recommend, fields, service)
    if part == "results":
        return render(request, "write/results.html", fields=fields, results=results)
    verdicts = await run_in_threadpool(_find_verdicts, fields, service)
    facets = await run_in_threadpool(read_facets, service)
    return render(request, "write.html", fields=fields, results=results, verdicts=verdicts, facets=facets)


def _quote_words(chosen: ChosenWords, service: Service) -> dict[str, Any]:
    """Return a paragraph's place and the quote of the words that a writer chose in it.

    Raises:
        BadInput: it is not in the archive, or these are no words of it.
    """
    stored = service.store.get(chosen.document_id)
    if stored is None:
        raise BadInput("this speech is no longer in the archive", field="at")
    document, paragraphs = stored
    span = check_span(document, paragraphs, chosen.ordinal, Span(chosen.start_char, chosen.end_char, 0.0))
    [info] = service.store.documents([document.id])
    return {"place": chosen.place, "quote": make_quote(paragraphs[chosen.ordinal], info, span)}


def _find_verdicts(fields: DraftFields, service: Service) -> list[ShownVerdict]:
    with limit_time(service.settings.timeout_s):
        return find_verdicts(fields.text, service)


def _recommend(fields: DraftFields, service: Service) -> Results:
    """Return the results for a form; what a person can mend in it is said in words."""
    if fields.is_blank and not fields.like:
        return Results()
    try:
        draft = _read_like(fields, service) if fields.like else fields.read_draft()
        return _answer(draft, fields, service)
    except BadInput as error:
        return Results(problem=str(error))


def _answer(draft: Draft, fields: DraftFields, service: Service) -> Results:
    answer = service.recommend(
        draft, filter=fields.read_filter(), limit=SHOWN + len(fields.hidden) + 1, around=stage_span
    )
    estimate = partial(estimate_fit, weights=service.models.fusion.fit, is_query=is_query(draft))
    cards = make_cards(answer, estimate)
    shown = [card for card in cards if card.place not in (*fields.hidden, fields.like)][:SHOWN]
    return Results(
        shown,
        answer.fit,
        answer.degraded,
        [COMMAND.sub("", remark) for remark in answer.remarks],
        "" if fields.like else " ".join(draft.left.split()[-PLACE_WORDS:]),
        count_choices(shown, read_speaker),
        count_choices(shown, read_collection),
        count_choices(shown, read_decade),
        is_answered=True,
    )


def _read_like(fields: DraftFields, service: Service) -> Draft:
    """Return a draft that asks for paragraphs like the one that the form names.

    Raises:
        BadInput: there is no such paragraph.
    """
    document_id, ordinal = read_place(fields.like)
    stored = service.store.get(document_id)
    if stored is None or ordinal >= len(stored[1]):
        raise BadInput("this paragraph is no longer in the archive", field="like")
    return Draft(stored[0].title, stored[1][ordinal].text)
