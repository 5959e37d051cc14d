"""Model work as plain functions: handed their models and a payload, they give an answer that can travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reranker.models.loaded import Models
from rostrum_core.types import Encoding
from workers.runner.payloads import Payload, join_tokens, split_placings, split_tokens

EXAMPLE = "We choose to go to the moon in this decade and do the other things."


@dataclass(frozen=True, slots=True)
class Task:
    """Model work that any process with the models can do.

    `run` takes the models and a payload and returns an answer; both can travel. `parts` of the models decide
    its answers: a worker with others refuses it. `example` makes a payload from the answers of the tasks
    before it in `TASKS`, to warm up the models; `None` leaves the task out.
    """

    run: Callable[[Models, Payload], dict[str, Any]]
    parts: tuple[str, ...] = ()
    example: Callable[[Mapping[str, Payload]], Payload] | None = None


def draft(models: Models, payload: Payload) -> dict[str, Any]:
    """`title`, `left`, perhaps `right` -> `query`, `before` and `after`, and `vector` float32 (width,).

    `query`, int32 (n,), is what encoder and ranker are given of a draft, cut to length; `before` and `after`
    are all its WordPieces, as `WordPieces.draft` has them.
    """
    query = models.wordpieces.query(payload["title"], payload["left"])
    pieces = models.wordpieces.draft(payload["title"], payload["left"], payload.get("right", ""))
    vector = models.encoder.query(query)
    return {"query": query, "before": pieces.before, "after": pieces.after, "vector": vector}


def encode(models: Models, payload: Payload) -> dict[str, Any]:
    """`texts` of n paragraphs -> `vectors` float32 (n, width) and their `tokens`."""
    encoded: list[Encoding] = models.encoder.encodings(payload["texts"])
    vectors = np.stack([e.vector for e in encoded]) if encoded else np.zeros((0, 0), np.float32)
    return {"vectors": vectors, "tokens": join_tokens([e.tokens for e in encoded])}


def rank(models: Models, payload: Payload) -> dict[str, Any]:
    """A draft's `query` with `texts` and `tokens` of n paragraphs -> what the ranker makes of each.

    `placings`, if they come along, say what the draft quotes of each already.

    `scores` float32 (n,), `spans` int32 (n, 2) as code points, half-open, `span_scores` float32 (n,).
    """
    placings = split_placings(payload["placings"]) if "placings" in payload else None
    ranked = models.ranker.rank(payload["query"], payload["texts"], split_tokens(payload["tokens"]), placings)
    return {
        "scores": np.array([r.score for r in ranked], np.float32),
        "spans": np.array([(r.span.start_char, r.span.end_char) for r in ranked], np.int32).reshape(-1, 2),
        "span_scores": np.array([r.span.score for r in ranked], np.float32),
    }


TASKS: dict[str, Task] = {
    "draft": Task(draft, ("encoder", "tokenizer"), lambda _: {"title": EXAMPLE, "left": EXAMPLE}),
    "encode": Task(encode, ("encoder", "tokenizer"), lambda _: {"texts": [EXAMPLE]}),
    "rank": Task(
        rank,
        ("ranker", "tokenizer"),
        lambda done: {
            "query": done["draft"]["query"],
            "texts": [EXAMPLE],
            "tokens": done["encode"]["tokens"],
        },
    ),
}
"""Every task by name. A job that brings a model adds its task here."""
