"""`POST /v1/rerank` and `/v2/rerank`: the interface of Cohere and Jina.

One response serves clients of both.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from jobs.rerank.job import MOST_PIECES, RerankedText
from rostrum.api.edge.auth import READ
from rostrum.api.edge.error_shapes import CohereError
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, Assembly, RankingPlace
from rostrum.api.routes.drafts import Milliseconds
from rostrum.api.routes.rerank.texts import (
    CHUNK_PIECES,
    Documents,
    Query,
    map_to_probability,
    order_by_merit,
    rerank_with_service,
    select_text,
)

ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": CohereError}, "5XX": {"model": CohereError}}
router = APIRouter(
    route_class=StrictRoute, tags=["rerank"], dependencies=[READ, RankingPlace], responses=ERRORS
)
JINA = "jina"
"""Prefix of the names of Jina's models. Their clients expect documents in the response by default."""

EXAMPLE: dict[str, Any] = {
    "model": "rostrum",
    "query": "Why a rocket to the moon is worth its price\nThe president told the crowd in Houston",
    "documents": ["We choose to go to the moon.", "Four score and seven years ago", {"text": "Ask not."}],
    "top_n": 2,
}


class CohereForm(Form):
    """A query and the documents to rank.

    The first line of the query is the draft's title, the rest is the text before the quote. A query of one
    line is all text before the quote. Fields that neither Cohere nor Jina knows are refused, as Cohere does.
    """

    model_config = show_examples(EXAMPLE)

    query: Query
    documents: Documents
    model: str | None = None
    top_n: Annotated[int | None, Field(ge=1)] = None
    return_documents: bool | None = None
    rank_fields: Annotated[list[str] | None, Field(min_length=1, max_length=100)] = None
    max_tokens_per_doc: Annotated[int | None, Field(ge=1)] = None
    max_chunks_per_doc: Annotated[int | None, Field(ge=1)] = None
    priority: int | None = None
    truncation: bool | None = None
    return_embeddings: bool | None = None
    timeout_ms: Milliseconds = None

    def should_return_documents(self) -> bool:
        """Return whether the response contains the documents.

        A client of Cohere gets them only on request, a client of Jina by default.
        """
        if self.return_documents is not None:
            return self.return_documents
        return (self.model or "").lower().startswith(JINA)

    def limit_pieces(self) -> int:
        """Return the greatest number of WordPieces (tokens of the model) to read of each document."""
        chunks = MOST_PIECES if self.max_chunks_per_doc is None else self.max_chunks_per_doc * CHUNK_PIECES
        return min(chunks, self.max_tokens_per_doc or MOST_PIECES)


class Words(BaseModel):
    """The words worth quoting in a document, as a range of its characters."""

    start_char: int
    end_char: int


class Text(BaseModel):
    """A document as it was sent; if it was a string, it is in the field `text`."""

    model_config = ConfigDict(extra="allow")

    text: str | None = None


class Result(BaseModel):
    """A ranked document, identified by its index in the request.

    `relevance_score` is the logistic function of the ranker's logit, 0 to 1. It orders the documents of one
    query, and is not a probability of being quoted.
    """

    index: int
    relevance_score: float
    span: Words | None = None
    document: Text | None = None


class ApiVersion(BaseModel):
    """The version of Cohere's interface that was requested."""

    version: str


class BilledUnits(BaseModel):
    """The units that Cohere would bill: one search for a request."""

    search_units: int = 1


class Meta(BaseModel):
    """Metadata that Cohere's clients expect next to the results."""

    api_version: ApiVersion
    billed_units: BilledUnits = BilledUnits()


class Usage(BaseModel):
    """The number of tokens that were read; clients of Jina expect it."""

    total_tokens: int


class CohereAnswer(BaseModel):
    """The best `top_n` documents, best first."""

    id: str
    model: str
    results: list[Result]
    usage: Usage
    meta: Meta


@router.post("/v1/rerank", response_model_exclude_none=True)
def rerank_v1(form: CohereForm, assembly: Assembled) -> CohereAnswer:
    """Order documents by how well they fit a draft, in the format of Cohere's version 1 and of Jina."""
    return answer(form, assembly, version="1")


@router.post("/v2/rerank", response_model_exclude_none=True)
def rerank_v2(form: CohereForm, assembly: Assembled) -> CohereAnswer:
    """Order documents by how well they fit a draft, in the format of Cohere's version 2."""
    return answer(form, assembly, version="2")


def answer(form: CohereForm, assembly: Assembly, *, version: str) -> CohereAnswer:
    """Rerank the documents of a request, and return them in the format of Cohere and Jina.

    `version` is the version of Cohere's interface that the client requested.

    Raises:
        BadInput, TaskError, ModelError: as `jobs.rerank.job.rerank`.
    """
    texts = [select_text(document, form.rank_fields) for document in form.documents]
    reranking = rerank_with_service(
        assembly, form.query, texts, form.timeout_ms, most_pieces=form.limit_pieces()
    )
    best = order_by_merit(reranking.texts)[: form.top_n]
    return CohereAnswer(
        id=str(uuid.uuid4()),
        model=assembly.service.models.hashes["ranker"],
        results=[_make_result(i, reranking.texts[i], form) for i in best],
        usage=Usage(total_tokens=reranking.pieces),
        meta=Meta(api_version=ApiVersion(version=version)),
    )


def _make_result(index: int, reranked_text: RerankedText, form: CohereForm) -> Result:
    document = form.documents[index]
    sent = {"text": document} if isinstance(document, str) else document
    return Result(
        index=index,
        relevance_score=map_to_probability(reranked_text.score),
        span=Words(start_char=reranked_text.span.start_char, end_char=reranked_text.span.end_char)
        if reranked_text.span
        else None,
        document=Text(**sent) if form.should_return_documents() else None,
    )
