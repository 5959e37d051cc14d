"""`/v1/recommend`: recommend paragraphs for a draft."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from archive.companions import add_companions, count_read
from jobs.recommend.result import build_body
from rostrum.api.edge.auth import READ
from rostrum.api.edge.error_shapes import ErrorDetail
from rostrum.api.edge.errors import Refused, answer_to
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.edge.traces import trace_stage
from rostrum.api.routes.answers import respond
from rostrum.api.routes.dependencies import Assembled, Assembly, NoParameters, RankingPlace
from rostrum.api.routes.drafts import BatchForm, RecommendForm, parse_draft
from rostrum_core.companions import CounterVoices, Repeat
from rostrum_core.errors import RostrumError
from rostrum_core.types import Answer, Explanation, Recommendation

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["drafts"])

UNHURRIED = 2
"""Number of concurrent requests that are ranked in full."""

LEAST_CANDIDATES = 20
"""Minimum number of paragraphs to rank, even if many requests wait.

Over 3,080 transcripts the mean reciprocal rank was 27.2 with 50 and 27.0 with 30 (docs/decisions/0030).
"""


class AnswerForm(BaseModel):
    """Recommendations for a draft with details of their computation; `explanation` only if requested.

    `degraded` names every stage that was skipped; `timings_s` are seconds per stage; `models` are the hashes
    of the model parts; `generation` names the state of the archive that was searched. `fit` is the
    probability that the first recommendation fits; `remarks` are sentences for the reader. `engine` names the
    engine of the models, with its precision and device.
    """

    recommendations: tuple[Recommendation, ...]
    candidates: int
    degraded: tuple[str, ...]
    timings_s: dict[str, float]
    models: dict[str, str]
    generation: str | None
    fit: float | None
    remarks: tuple[str, ...]
    engine: str | None
    explanation: Explanation | None = None
    counter: Annotated[
        tuple[CounterVoices, ...] | None,
        Field(description="Counter-voices of the first recommendations, in their order; only if asked for"),
    ] = None
    printed: Annotated[
        tuple[tuple[Repeat, ...], ...] | None,
        Field(description="Where the words of each recommendation were printed; only if asked for"),
    ] = None


class BatchAnswer(BaseModel):
    """The outcome of one draft: an answer or an error."""

    answer: Annotated[AnswerForm | None, Field(description="As `/v1/recommend` answers")] = None
    error: Annotated[ErrorDetail | None, Field(description="Why this draft has no answer")] = None


class BatchAnswers(BaseModel):
    """One answer or error for each draft, in their order."""

    answers: Annotated[list[BatchAnswer], Field(description="One for each draft, in their order")]


@router.post("/recommend", response_model=AnswerForm, dependencies=[READ, NoParameters, RankingPlace])
def recommend(form: RecommendForm, assembly: Assembled, request: Request) -> Response:
    """Rank paragraphs for a draft, and mark the words worth quoting."""
    return _respond(form, assembly, request)


@router.post("/recommend/batch", response_model=BatchAnswers, dependencies=[READ, NoParameters, RankingPlace])
def recommend_batch(form: BatchForm, assembly: Assembled, request: Request) -> Response:
    """Rank paragraphs for several drafts, one after the other; each gets an answer or an error."""
    with limit_request_time(form.timeout_ms, assembly.service.settings.timeout_s):
        answers = [_answer_one(draft, assembly, request) for draft in form.drafts]
    return Response(b'{"answers":[' + b",".join(answers) + b"]}", media_type="application/json")


def _answer_one(draft: Any, assembly: Assembly, request: Request) -> bytes:
    """Validate one draft of a batch; return its answer or its error as the JSON of a `BatchAnswer`.

    An answer is encoded already, so its JSON is inserted as it is.
    """
    try:
        response = _respond(parse_draft(draft), assembly, request)
    except (RostrumError, Refused, RequestValidationError) as error:
        detail = json.loads(bytes(answer_to(error).body))["error"]
        return json.dumps({"answer": None, "error": detail}).encode()
    return b'{"answer":' + bytes(response.body) + b',"error":null}'


def _respond(form: RecommendForm, assembly: Assembly, request: Request) -> Response:
    if form.counter or form.printed:
        return _answer_with_companions(form, assembly)
    return respond(request, assembly, form, lambda: _answer(form, assembly))


def _answer_with_companions(form: RecommendForm, assembly: Assembly) -> Response:
    """Return the answer to a draft, with counter-voices and earlier printings of each recommended quote.

    Counter-voices are sentences on the same point. The answer is not cached, because counter-voices and
    printings may come from other archives, which may change.
    """
    service = assembly.service
    with limit_request_time(form.timeout_ms, service.settings.timeout_s):
        more = form.model_copy(update={"limit": count_read(form.limit, form.printed)})
        answer, explanation = _answer(more, assembly)
        assembly.metrics.count_answer(answer)
        answer, companions = add_companions(
            service, answer, counter=form.counter, printed=form.printed, limit=form.limit
        )
    return JSONResponse(build_body(answer, explanation) | asdict(companions))


def _answer(form: RecommendForm, assembly: Assembly) -> tuple[Answer, Explanation | None]:
    service, busy = assembly.service, assembly.places.ranking.busy
    draft, chosen = form.build_draft(), form.filter.filter(service.store)
    # Explain first, because ranking may use up the time.
    explained = service.explain(draft) if form.explain else None
    # A number that the client names is kept: it knows what it wants.
    default = service.settings.candidates
    reduced = reduce_candidates(default, busy) if form.candidates is None else form.candidates
    answer = service.recommend(
        draft,
        filter=chosen,
        limit=form.limit,
        candidates=reduced,
        names=form.names,
        timeout_s=form.limit_timeout(service.settings.timeout_s),
        around=trace_stage,
    )
    if form.candidates is None and reduced < default and answer.candidates == reduced:
        answer = replace(answer, degraded=(*answer.degraded, describe_reduction(default, reduced, busy)))
    return answer, explained


def reduce_candidates(candidates: int, busy: int) -> int:
    """Return how many paragraphs to rank while `busy` requests are running or waiting, including this one.

    If at most `UNHURRIED` requests are busy, all `candidates` are ranked. With more requests, the number
    falls, so that the total work stays the same, but not below `LEAST_CANDIDATES`. If `candidates` is smaller
    than that, it is returned unchanged.

    >>> [reduce_candidates(50, busy) for busy in (1, 2, 3, 4, 8)]
    [50, 50, 33, 25, 20]
    >>> reduce_candidates(10, 8)
    10
    """
    if busy <= UNHURRIED:
        return candidates
    return max(candidates * UNHURRIED // busy, min(candidates, LEAST_CANDIDATES))


def describe_reduction(candidates: int, reduced: int, busy: int) -> str:
    """Return the message for the answer's field `degraded` if fewer paragraphs than usual were ranked.

    >>> describe_reduction(50, 25, 4)
    'queue: 25 instead of 50 paragraphs were ranked, as 4 requests came at once'
    """
    return f"queue: {reduced} instead of {candidates} paragraphs were ranked, as {busy} requests came at once"
