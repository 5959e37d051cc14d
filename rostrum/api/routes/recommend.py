"""`/v1/recommend`: run the main job."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from archive.companions import add_companions, count_read
from jobs.recommend.result import form
from rostrum.api.edge.auth import needs
from rostrum.api.edge.error_shapes import ErrorDetail
from rostrum.api.edge.errors import Refused, answer_to
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.keys import KeyScope
from rostrum.api.edge.time_limits import time_limit
from rostrum.api.edge.traces import stage_span
from rostrum.api.routes.answers import sent
from rostrum.api.routes.degradation import describe_reduction, reduce_candidates
from rostrum.api.routes.dependencies import Assembled, Assembly, NoParameters, RankingPlace
from rostrum.api.routes.drafts import BatchForm, RecommendForm
from rostrum_core.companions import CounterVoices, Repeat
from rostrum_core.errors import RostrumError
from rostrum_core.types import Answer, Explanation, Recommendation

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["drafts"])


class AnswerForm(BaseModel):
    """Recommendations for a draft, and how they came about; `explanation` only if it was requested.

    `degraded` names every stage that was skipped; `timings_s` are seconds per stage; `models` are the hashes
    of what was used; `generation` is the state of the archive that was searched. `fit` is the
    probability that the first recommendation fits; `remarks` are sentences for the reader. `engine` is
    what computed the models, with its precision and device.
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


@router.post(
    "/recommend", response_model=AnswerForm, dependencies=[needs(KeyScope.READ), NoParameters, RankingPlace]
)
def recommend(asked: RecommendForm, assembly: Assembled, request: Request) -> Response:
    """Rank paragraphs for a draft, and mark the words worth quoting."""
    if asked.counter or asked.printed:
        return _answer_with_companions(asked, assembly)
    return sent(request, assembly, asked, lambda: _answer(asked, assembly))


@router.post(
    "/recommend/batch",
    response_model=BatchAnswers,
    dependencies=[needs(KeyScope.READ), NoParameters, RankingPlace],
)
def recommend_batch(asked: BatchForm, assembly: Assembled, request: Request) -> Response:
    """Rank paragraphs for several drafts, one after the other; each has an answer or an error."""
    with time_limit(asked.timeout_ms, assembly.service.settings.timeout_s):
        answers = [_answer_one(draft, assembly, request) for draft in asked.drafts]
    return Response(b'{"answers":[' + b",".join(answers) + b"]}", media_type="application/json")


def _answer_one(asked: RecommendForm, assembly: Assembly, request: Request) -> bytes:
    """Return a `BatchAnswer` as JSON; the answer itself is not parsed again."""
    try:
        response = sent(request, assembly, asked, lambda: _answer(asked, assembly))
    except (RostrumError, Refused) as error:
        detail = json.loads(bytes(answer_to(error).body))["error"]
        return json.dumps({"answer": None, "error": detail}).encode()
    return b'{"answer":' + bytes(response.body) + b',"error":null}'


def _answer_with_companions(asked: RecommendForm, assembly: Assembly) -> Response:
    """Return the answer with what stands beside its quotes. It is not kept: other archives may change."""
    service = assembly.service
    with time_limit(asked.timeout_ms, service.settings.timeout_s):
        more = asked.model_copy(update={"limit": count_read(asked.limit, asked.printed)})
        answer, explanation = _answer(more, assembly)
        assembly.metrics.count_answer(answer)
        answer, companions = add_companions(
            service, answer, counter=asked.counter, printed=asked.printed, limit=asked.limit
        )
    return JSONResponse(form(answer, explanation) | asdict(companions))


def _answer(asked: RecommendForm, assembly: Assembly) -> tuple[Answer, Explanation | None]:
    service, busy = assembly.service, assembly.places.ranking.busy
    draft, chosen = asked.draft(), asked.filter.filter(service.store)
    # Explain first, because ranking may use up the time.
    explained = service.explain(draft) if asked.explain else None
    # A number that the client names is kept: it knows what it wants.
    default = service.settings.candidates
    reduced = reduce_candidates(default, busy) if asked.candidates is None else asked.candidates
    answer = service.recommend(
        draft,
        filter=chosen,
        limit=asked.limit,
        candidates=reduced,
        names=asked.names,
        timeout_s=asked.timeout_s(service.settings.timeout_s),
        around=stage_span,
    )
    if asked.candidates is None and reduced < default and answer.candidates == reduced:
        answer = replace(answer, degraded=(*answer.degraded, describe_reduction(default, reduced, busy)))
    return answer, explained
