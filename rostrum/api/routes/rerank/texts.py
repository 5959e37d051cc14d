"""What every form of reranking has in common: a query, texts, and scores in the order of merit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from rostrum.api.edge.time_limits import time_limit
from rostrum.api.edge.unicode import whole
from rostrum.api.routes.dependencies import Assembly
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum.jobs.rerank.job import Reranked, Reranking, draft_of, rerank

MOST_TEXTS = 1_000
DIGITS = 9
"""Significant digits of a score: all that float32 has, and few enough that no client reads a big decimal."""


def _text_of(told: Any) -> Any:
    if not isinstance(told, dict):
        return told
    if "text" not in told:
        raise PydanticCustomError("no_text", "an object needs the field `text`, the one that is read")
    return told["text"]


Query = Annotated[str, Field(max_length=LONGEST_TEXT), BeforeValidator(whole)]
Whole = Annotated[JsonValue, AfterValidator(whole)]
Texts = Annotated[list[Annotated[str, AfterValidator(whole)]], Field(max_length=MOST_TEXTS)]
Documents = Annotated[
    list[
        Annotated[
            str,
            BeforeValidator(_text_of),
            AfterValidator(whole),
            WithJsonSchema(
                {
                    "anyOf": [
                        {"type": "string"},
                        {
                            "type": "object",
                            "properties": {"text": {"type": "string"}},
                            "required": ["text"],
                        },
                    ]
                }
            ),
        ]
    ],
    Field(max_length=MOST_TEXTS),
]
"""Texts, each as it is or as `{"text": ...}`."""


def reranked(
    assembly: Assembly, query: str, texts: Sequence[str], timeout_ms: int | None = None, **options: Any
) -> Reranking:
    """The texts as the service's ranker judges them; `options` as of `rostrum.jobs.rerank.job.rerank`.

    Raises:
        BadInput, TaskError, ModelError: as `rostrum.jobs.rerank.job.rerank`.
    """
    service = assembly.service
    with time_limit(timeout_ms, service.settings.timeout_s) as timeout_s:
        return rerank(
            draft_of(query),
            texts,
            runner=service.runner,
            models=service.models,
            timeout_s=timeout_s,
            **options,
        )


def by_merit(found: Sequence[Reranked]) -> list[int]:
    """Indices of the texts, the best first; ties go to the earlier one.

    >>> by_merit([Reranked(1.0, None), Reranked(3.0, None), Reranked(1.0, None)])
    [1, 0, 2]
    """
    return sorted(range(len(found)), key=lambda i: (-found[i].score, i))


def probability(logit: float) -> float:
    """A score between 0 and 1 in the order of the logits: their logistic function.

    >>> probability(0.0), probability(2.0), probability(-2.0)
    (0.5, 0.880797078, 0.119202922)
    """
    return rounded(1 / (1 + math.exp(-logit)))


def rounded(score: float) -> float:
    """The score with `DIGITS` significant digits.

    >>> rounded(-1.2345678901234)
    -1.23456789
    """
    return float(f"{score:.{DIGITS}g}")
