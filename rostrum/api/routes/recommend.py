"""`/v1/recommend`: run the main job."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from rostrum.api.edge.auth import needs
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.keys import KeyScope
from rostrum.api.edge.traces import stage_span
from rostrum.api.routes.answers import sent
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import RecommendForm
from rostrum.archive.service import Service
from rostrum_core.types import Answer, Explanation, Recommendation

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["drafts"])


class AnswerForm(BaseModel):
    """Recommendations for a draft, and how they came about; `explanation` only if it was requested.

    `degraded` names every stage that was skipped; `timings_s` are seconds per stage; `models` are the hashes
    of what was used; `generation` is the state of the archive that was searched. `fit` is the
    probability that the first recommendation fits; `remarks` are sentences for the reader.
    """

    recommendations: tuple[Recommendation, ...]
    candidates: int
    degraded: tuple[str, ...]
    timings_s: dict[str, float]
    models: dict[str, str]
    generation: str | None
    fit: float | None
    remarks: tuple[str, ...]
    explanation: Explanation | None = None


@router.post(
    "/recommend", response_model=AnswerForm, dependencies=[needs(KeyScope.READ), NoParameters, RankingPlace]
)
def recommend(asked: RecommendForm, assembly: Assembled, request: Request) -> Response:
    """Rank paragraphs for a draft, and mark the words worth quoting."""
    return sent(request, assembly, asked, lambda: _answer(asked, assembly.service))


def _answer(asked: RecommendForm, service: Service) -> tuple[Answer, Explanation | None]:
    draft, chosen = asked.draft(), asked.filter.filter(service.store)
    # Explain first, because ranking may use up the time.
    explained = service.explain(draft) if asked.explain else None
    answer = service.recommend(
        draft,
        filter=chosen,
        limit=asked.limit,
        candidates=asked.candidates,
        names=asked.names,
        timeout_s=asked.timeout_s(service.settings.timeout_s),
        around=stage_span,
    )
    return answer, explained
