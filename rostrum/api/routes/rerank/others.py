"""Serve the interfaces of Jina, infinity and Voyage under paths of our own, such as `/jina/v1/rerank`.

Their own paths collide with those of Cohere or of text-embeddings-inference.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, RankingPlace
from rostrum.api.routes.rerank.cohere import ERRORS, EXAMPLE, CohereAnswer, CohereForm, Usage, answer
from rostrum.api.routes.rerank.texts import (
    Query,
    Texts,
    map_to_probability,
    order_by_merit,
    rerank_with_service,
)

router = APIRouter(
    route_class=StrictRoute, tags=["rerank"], dependencies=[READ, RankingPlace], responses=ERRORS
)


class PlainForm(Form):
    """A query and documents as plain strings, which clients of infinity and of Voyage send."""

    model_config = show_examples({"query": EXAMPLE["query"], "documents": ["We choose to go."]})

    query: Query
    documents: Texts
    model: str | None = None
    return_documents: bool = False


class InfinityForm(PlainForm):
    """A query and documents, as clients of the model server "infinity" send them."""

    top_n: Annotated[int | None, Field(ge=1)] = None
    raw_scores: bool = False


class VoyageForm(PlainForm):
    """A query and documents, as clients of Voyage send them."""

    top_k: Annotated[int | None, Field(ge=1)] = None
    truncation: bool = True


class PlainResult(BaseModel):
    """A ranked document, identified by its index in the request, with its text if requested."""

    index: int
    relevance_score: float
    document: str | None = None


class InfinityAnswer(BaseModel):
    """The ranked documents, best first, in the format of infinity."""

    object: str = "rerank"
    model: str
    results: list[PlainResult]
    usage: Usage


class VoyageAnswer(BaseModel):
    """The ranked documents, best first, in the format of Voyage."""

    object: str = "list"
    data: list[PlainResult]
    model: str
    usage: Usage


@router.post("/jina/v1/rerank", response_model_exclude_none=True)
def rerank_jina(form: CohereForm, assembly: Assembled) -> CohereAnswer:
    """Order documents in the format of Jina, which returns the documents by default."""
    if form.return_documents is None:
        form.return_documents = True
    return answer(form, assembly, version="1")


@router.post("/infinity/rerank", response_model_exclude_none=True)
def rerank_infinity(form: InfinityForm, assembly: Assembled) -> InfinityAnswer:
    """Order documents in the format of infinity."""
    results, pieces = _rank_documents(form, assembly, form.top_n, raw=form.raw_scores)
    model = assembly.service.models.hashes["ranker"]
    return InfinityAnswer(model=model, results=results, usage=Usage(total_tokens=pieces))


@router.post("/voyage/v1/rerank", response_model_exclude_none=True)
def rerank_voyage(form: VoyageForm, assembly: Assembled) -> VoyageAnswer:
    """Order documents in the format of Voyage."""
    results, pieces = _rank_documents(form, assembly, form.top_k, truncate=form.truncation)
    model = assembly.service.models.hashes["ranker"]
    return VoyageAnswer(data=results, model=model, usage=Usage(total_tokens=pieces))


def _rank_documents(
    form: PlainForm, assembly: Assembled, most: int | None, *, raw: bool = False, truncate: bool = True
) -> tuple[list[PlainResult], int]:
    """Return the best `most` documents, best first, and the number of WordPieces (tokens) that were read.

    The score of a document is a probability, or the ranker's logit if `raw`.
    """
    reranking = rerank_with_service(assembly, form.query, form.documents, truncate=truncate)
    results = [
        PlainResult(
            index=i,
            relevance_score=reranking.texts[i].score if raw else map_to_probability(reranking.texts[i].score),
            document=form.documents[i] if form.return_documents else None,
        )
        for i in order_by_merit(reranking.texts)[:most]
    ]
    return results, reranking.pieces
