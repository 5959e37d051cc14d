"""`POST /rerank`: the form of text-embeddings-inference; with `documents` in place of `texts`, Cohere's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Discriminator, Tag

from rostrum.api.edge.auth import needs
from rostrum.api.edge.error_shapes import TeiError
from rostrum.api.edge.forms import Form
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.keys import KeyScope
from rostrum.api.routes.dependencies import Assembled, Assembly, RankingPlace
from rostrum.api.routes.rerank.cohere import EXAMPLE, CohereAnswer, CohereForm, answer
from rostrum.api.routes.rerank.texts import Query, Texts, by_merit, probability, reranked, rounded

router = APIRouter(route_class=StrictRoute, tags=["rerank"])
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": TeiError}, "5XX": {"model": TeiError}}


class TeiForm(Form):
    """A query, read as that of `/v1/rerank`, and texts.

    Scores are the ranker's logits with `raw_scores`, else their logistic function, 0 to 1. A text is cut to
    4,096 WordPieces unless `truncate` is false, which refuses a longer one.
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
    """A text by its index in the request."""

    index: int
    score: float
    text: str | None = None


def _form(body: Any) -> str:
    is_cohere = isinstance(body, dict) and body.get("documents") is not None
    return "(cohere)" if is_cohere else "(tei)"


Asked = Annotated[
    Annotated[TeiForm, Tag("(tei)")] | Annotated[CohereForm, Tag("(cohere)")],
    Discriminator(_form),
]


@router.post(
    "/rerank",
    responses=ERRORS,
    response_model_exclude_none=True,
    dependencies=[needs(KeyScope.READ), RankingPlace],
)
def rerank_texts(asked: Asked, assembly: Assembled) -> list[Rank] | CohereAnswer:
    """Order texts by how well they fit a draft, as text-embeddings-inference does."""
    return _ranks(asked, assembly) if isinstance(asked, TeiForm) else answer(asked, assembly, version="1")


def _ranks(asked: TeiForm, assembly: Assembly) -> list[Rank]:
    found = reranked(assembly, asked.query, asked.texts, truncate=asked.truncate).texts
    score = rounded if asked.raw_scores else probability
    return [
        Rank(index=i, score=score(found[i].score), text=asked.texts[i] if asked.return_text else None)
        for i in by_merit(found)
    ]
