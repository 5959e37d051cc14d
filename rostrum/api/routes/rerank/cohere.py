"""`POST /v1/rerank` and `/v2/rerank`: the form of Cohere and of Jina. One answer serves clients of both."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from rostrum.api.edge.auth import needs
from rostrum.api.edge.error_shapes import CohereError
from rostrum.api.edge.forms import Form
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.keys import KeyScope
from rostrum.api.routes.dependencies import Assembled, Assembly, RankingPlace
from rostrum.api.routes.drafts import Milliseconds
from rostrum.api.routes.rerank.texts import Documents, Query, by_merit, probability, reranked
from rostrum.jobs.rerank.job import MOST_PIECES, Reranked

router = APIRouter(route_class=StrictRoute, tags=["rerank"])
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": CohereError}, "5XX": {"model": CohereError}}
EXAMPLE: dict[str, Any] = {
    "model": "rostrum",
    "query": "Why a rocket to the moon is worth its price\nThe president told the crowd in Houston",
    "documents": ["We choose to go to the moon.", "Four score and seven years ago", {"text": "Ask not."}],
    "top_n": 2,
}


class CohereForm(Form):
    """A query and documents. The first line of the query is the draft's title, the rest the text before the
    quote; a query of one line is all of it such text.

    `model` may be any name, and `rank_fields` can name the one field of a document that is read. Fields that
    are not here are passed over, as clients send many.
    """

    model_config = ConfigDict(extra="ignore", json_schema_extra={"examples": [EXAMPLE]})

    query: Query
    documents: Documents
    model: str | None = None
    top_n: Annotated[int | None, Field(ge=1)] = None
    return_documents: bool = False
    rank_fields: list[Literal["text"]] | None = None
    max_tokens_per_doc: Annotated[int | None, Field(ge=1)] = None
    timeout_ms: Milliseconds = None


class Words(BaseModel):
    """The words of a document worth quoting: code points, half-open."""

    start_char: int
    end_char: int


class Text(BaseModel):
    """A document as it was sent."""

    text: str


class Result(BaseModel):
    """A document by its index in the request. `relevance_score` is the logistic function of the ranker's
    logit, 0 to 1: it orders the documents of one query, and is no probability of being quoted.
    """

    index: int
    relevance_score: float
    span: Words | None = None
    document: Text | None = None


class ApiVersion(BaseModel):
    """Which of Cohere's versions was asked for."""

    version: str


class Meta(BaseModel):
    """What Cohere's clients look for beside the results."""

    api_version: ApiVersion


class Usage(BaseModel):
    """What Jina's clients look for: how many WordPieces were read."""

    total_tokens: int


class CohereAnswer(BaseModel):
    """The documents in the order of merit, the best `top_n` of them. `model` is the hash of the ranker."""

    id: str
    model: str
    results: list[Result]
    usage: Usage
    meta: Meta


@router.post(
    "/v1/rerank",
    responses=ERRORS,
    response_model_exclude_none=True,
    dependencies=[needs(KeyScope.READ), RankingPlace],
)
@router.post(
    "/v2/rerank",
    responses=ERRORS,
    response_model_exclude_none=True,
    dependencies=[needs(KeyScope.READ), RankingPlace],
)
def rerank_documents(asked: CohereForm, assembly: Assembled, request: Request) -> CohereAnswer:
    """Documents in the order in which they fit a draft, as Cohere's and Jina's clients ask for it."""
    return answer(asked, assembly, version=request.url.path.split("/")[1].removeprefix("v"))


def answer(asked: CohereForm, assembly: Assembly, *, version: str) -> CohereAnswer:
    """What a request of this form is answered, under one of Cohere's versions.

    Raises:
        BadInput, TaskError, ModelError: as `rostrum.jobs.rerank.job.rerank`.
    """
    most = asked.max_tokens_per_doc or MOST_PIECES
    found = reranked(assembly, asked.query, asked.documents, asked.timeout_ms, most_pieces=most)
    best = by_merit(found.texts)[: asked.top_n]
    return CohereAnswer(
        id=str(uuid.uuid4()),
        model=assembly.service.models.hashes["ranker"],
        results=[_result(i, found.texts[i], asked) for i in best],
        usage=Usage(total_tokens=found.pieces),
        meta=Meta(api_version=ApiVersion(version=version)),
    )


def _result(index: int, found: Reranked, asked: CohereForm) -> Result:
    return Result(
        index=index,
        relevance_score=probability(found.score),
        span=Words(start_char=found.span.start_char, end_char=found.span.end_char) if found.span else None,
        document=Text(text=asked.documents[index]) if asked.return_documents else None,
    )
