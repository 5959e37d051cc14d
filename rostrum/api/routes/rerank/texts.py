"""Define what all rerank interfaces share: fields for query and texts, scores, and the order by score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from jobs.rerank.job import RerankedText, RerankResult, parse_query, rerank
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembly
from rostrum.api.routes.drafts import LONGEST_TEXT

MOST_TEXTS = 1_000
CHUNK_PIECES = 510
"""Number of WordPieces in a chunk, the unit of Cohere's `max_chunks_per_doc`."""

DIGITS = 9
"""Significant digits of a score: float32 has no more, and clients need no big decimals to parse it."""


Query = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), BeforeValidator(replace_surrogates)]
Whole = Annotated[JsonValue, AfterValidator(replace_surrogates)]
Texts = Annotated[list[Annotated[str, AfterValidator(replace_surrogates)]], Field(max_length=MOST_TEXTS)]


def _require_text(value: Any) -> Any:
    """Return a document unchanged, after checking that it has a text to rank.

    It must be a string, or an object with a string among its values. If it has a field `text`, this must be a
    string.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        raise PydanticCustomError("no_document", "a document is a text, or an object with texts")
    if not any(isinstance(field, str) for field in value.values()):
        raise PydanticCustomError("no_text", "an object needs a field with a text, such as `text`")
    if not isinstance(value.get("text", ""), str):
        raise PydanticCustomError("no_text", "the field `text` is not a text")
    return value


DOCUMENT = {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}
Document = Annotated[
    str | dict[str, Any],
    BeforeValidator(_require_text),
    AfterValidator(replace_surrogates),
    WithJsonSchema(DOCUMENT),
]
Documents = Annotated[list[Document], Field(max_length=MOST_TEXTS)]
"""Documents to rerank: strings, or objects with strings."""


def select_text(document: str | Mapping[str, Any], rank_fields: Sequence[str] | None) -> str:
    r"""Return the part of a document that the ranker reads.

    If the document is a string, return it. If it is an object, return the values of the fields in
    `rank_fields`, each on its own line. Without `rank_fields`, return the field `text`, or if the object has
    no such field, all values that are strings, each on its own line.

    >>> select_text({"text": "Ask not.", "title": "Inaugural"}, None)
    'Ask not.'
    >>> select_text({"text": "Ask not.", "title": "Inaugural"}, ["title", "text", "author"])
    'Inaugural\nAsk not.'
    >>> select_text({"title": "Inaugural", "year": 1961}, None)
    'Inaugural'
    """
    if isinstance(document, str):
        return document
    names = rank_fields or (["text"] if "text" in document else list(document))
    values = (document.get(name) for name in names)
    return "\n".join(value for value in values if isinstance(value, str))


def rerank_with_service(
    assembly: Assembly, query: str, texts: Sequence[str], timeout_ms: int | None = None, **options: Any
) -> RerankResult:
    """Rerank texts with the service's ranker; `options` are passed to `jobs.rerank.job.rerank`.

    Raises:
        BadInput, TaskError, ModelError: as `jobs.rerank.job.rerank`.
    """
    service = assembly.service
    with limit_request_time(timeout_ms, service.settings.timeout_s) as timeout_s:
        return rerank(
            parse_query(query),
            texts,
            runner=service.runner,
            models=service.models,
            timeout_s=timeout_s,
            **options,
        )


def order_by_merit(scored: Sequence[RerankedText]) -> list[int]:
    """Return the indices of the texts by score, best first; texts with equal scores keep their order.

    >>> order_by_merit([RerankedText(1.0, None), RerankedText(3.0, None), RerankedText(1.0, None)])
    [1, 0, 2]
    """
    return sorted(range(len(scored)), key=lambda i: (-scored[i].score, i))


def map_to_probability(logit: float) -> float:
    """Map a logit to a score between 0 and 1 by the logistic function, which keeps the order.

    >>> map_to_probability(0.0), map_to_probability(2.0), map_to_probability(-2.0)
    (0.5, 0.880797078, 0.119202922)
    """
    return round_score(1 / (1 + math.exp(-logit)))


def round_score(score: float) -> float:
    """Round a score to `DIGITS` significant digits.

    >>> round_score(-1.2345678901234)
    -1.23456789
    """
    return float(f"{score:.{DIGITS}g}")
