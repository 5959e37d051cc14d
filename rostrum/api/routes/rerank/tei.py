"""`POST /rerank`: the interface of text-embeddings-inference.

A request with `documents` instead of `texts` is answered as Cohere would.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Discriminator, Tag

from rostrum.api.edge.auth import READ
from rostrum.api.edge.error_shapes import TeiError
from rostrum.api.edge.forms import Form
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, Assembly, RankingPlace
from rostrum.api.routes.rerank.cohere import EXAMPLE, CohereAnswer, CohereForm, answer
from rostrum.api.routes.rerank.texts import (
    Query,
    Texts,
    map_to_probability,
    order_by_merit,
    rerank_with_service,
    round_score,
)

router = APIRouter(route_class=StrictRoute, tags=["rerank"])
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": TeiError}, "5XX": {"model": TeiError}}


class TeiForm(Form):
    """A query, parsed as for `/v1/rerank`, and the texts to rank.

    With `raw_scores`, scores are the ranker's logits; otherwise their logistic function, 0 to 1. A text is
    cut to 4,096 WordPieces; if `truncate` is false, a longer text is refused.
    """

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [{"query": EXAMPLE["query"], "texts": ["We choose to go to the moon."]}]
        },
    )

    query: Query
    texts: Texts
    raw_scores: bool = False
    return_text: bool = False
    truncate: bool = True
    truncation_direction: Literal["Right"] | None = None


class Rank(BaseModel):
    """A ranked text, identified by its index in the request, with its score."""

    index: int
    score: float
    text: str | None = None


def _detect_form(body: Any) -> str:
    is_cohere = isinstance(body, dict) and body.get("documents") is not None
    return "(cohere)" if is_cohere else "(tei)"


Asked = Annotated[
    Annotated[TeiForm, Tag("(tei)")] | Annotated[CohereForm, Tag("(cohere)")],
    Discriminator(_detect_form),
]


@router.post("/rerank", responses=ERRORS, response_model_exclude_none=True, dependencies=[READ, RankingPlace])
def rerank_texts(form: Asked, assembly: Assembled) -> list[Rank] | CohereAnswer:
    """Order texts by how well they fit a draft, in the format of text-embeddings-inference."""
    return _rank_texts(form, assembly) if isinstance(form, TeiForm) else answer(form, assembly, version="1")


def _rank_texts(form: TeiForm, assembly: Assembly) -> list[Rank]:
    scored = rerank_with_service(assembly, form.query, form.texts, truncate=form.truncate).texts
    score = round_score if form.raw_scores else map_to_probability
    return [
        Rank(index=i, score=score(scored[i].score), text=form.texts[i] if form.return_text else None)
        for i in order_by_merit(scored)
    ]
