"""`POST /v1/rerank/opensearch`: rerank the hits of a search, for OpenSearch's processor `ml_inference`.

The response is an error, or has exactly one result for each hit, in the order in which the hits were sent. If
the numbers of hits and results differed, OpenSearch would copy the whole response into each hit.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field, model_validator

from jobs.rerank.job import MOST_PIECES, RerankedText
from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import Milliseconds
from rostrum.api.routes.rerank.encoded import decode_hits, merge_decoded
from rostrum.api.routes.rerank.texts import MOST_TEXTS, Query, Whole, rerank_with_service, round_score
from rostrum_core.errors import BadInput

router = APIRouter(route_class=StrictRoute, tags=["rerank"])

ALL_PIECES = 16_384
"""Most WordPieces that are read of all hits of one search: some three seconds on two cores."""

LEAST_PIECES = 200
"""Minimum WordPieces that are read of each hit: as many as the ranker sees at once."""


class HitsForm(Form):
    """The hits of a search, which are to be reranked for a draft.

    `documents` are the values of the hits' text field; a value that is not a string counts as an empty text.
    `ids`, if sent, are returned with the results.
    """

    model_config = show_examples({"query": "The moon\nHe said", "documents": ["We choose to go.", None]})

    query: Query
    documents: Annotated[list[Whole], Field(max_length=MOST_TEXTS)]
    ids: Annotated[list[Whole] | None, Field(max_length=MOST_TEXTS)] = None
    timeout_ms: Milliseconds = None

    @model_validator(mode="before")
    @classmethod
    def _decode(cls, payload: Any) -> Any:
        return merge_decoded(payload, decode_hits)


class Hit(BaseModel):
    """The score of a hit, and the words in its text that are worth quoting.

    `score` is the ranker's logit. The words, `span`, reach from `start` to `end` in code points of the text,
    half-open. They are empty if the text has no words.
    """

    score: float
    span: str
    start: int
    end: int
    id: Any = None


class Hits(BaseModel):
    """One result for each document, in the order sent."""

    results: list[Hit]


@router.post(
    "/v1/rerank/opensearch", response_model_exclude_none=True, dependencies=[READ, NoParameters, RankingPlace]
)
def rerank_hits(form: HitsForm, assembly: Assembled) -> Hits:
    """Score the hits of a search, in their order, with the span worth quoting in each."""
    ids = form.ids or [None] * len(form.documents)
    if len(ids) != len(form.documents):
        raise BadInput(f"{len(ids)} ids for {len(form.documents)} documents", field="ids")
    texts = [document if isinstance(document, str) else "" for document in form.documents]
    scored = rerank_with_service(
        assembly, form.query, texts, form.timeout_ms, most_pieces=share_pieces(len(texts))
    ).texts
    return Hits(results=list(map(_make_hit, texts, scored, ids)))


def share_pieces(hits: int) -> int:
    """Return how many WordPieces (tokens of the model) to read of each hit of a search.

    The more hits there are, the less is read of each, to limit the time for the whole search.

    >>> share_pieces(1), share_pieces(30), share_pieces(1000)
    (4096, 546, 200)
    """
    return max(LEAST_PIECES, min(MOST_PIECES, ALL_PIECES // max(1, hits)))


def _make_hit(text: str, scored: RerankedText, name: Any) -> Hit:
    start, end = (scored.span.start_char, scored.span.end_char) if scored.span else (0, 0)
    return Hit(score=round_score(scored.score), span=text[start:end], start=start, end=end, id=name)
