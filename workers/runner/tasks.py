"""Define the tasks of model code, such as "rank": functions from models and a payload to a response.

Payloads and responses are serializable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.evidence import Evidence
from reranker.models.loaded import Models
from rostrum_core.types import Encoding
from workers.runner.payloads import (
    Payload,
    join_spans,
    join_tokens,
    split_placings,
    split_spans,
    split_tokens,
)

EXAMPLE = "We choose to go to the moon in this decade and do the other things."


@dataclass(frozen=True, slots=True)
class Task:
    """Define a task that any process with the models can run.

    `run` takes the models and a payload and returns a response. Payload and response are serializable.
    `parts` names the parts of the models on which the response depends. A worker with other versions of these
    parts rejects the task.

    `example` builds a payload to warm up the models, from the responses of the preceding tasks in `TASKS`. If
    it is `None`, the task is not used to warm up the models.

    If several calls share one process, they alternate: each runs `turn_parts` payloads, then another call
    gets its turn.
    """

    run: Callable[[Models, Payload], dict[str, Any]]
    parts: tuple[str, ...] = ()
    example: Callable[[Mapping[str, Payload]], Payload] | None = None
    turn_parts: int = 1


RANK_TURN_PARTS = 8
"""Payloads of a call in one turn: more than a draft's 50 paragraphs need, because two drafts that alternate
would both be late.
"""


def encode_draft(models: Models, payload: Payload) -> dict[str, Any]:
    """Encode a draft: `title`, `left`, optionally `right` -> `query`, `before`, `after`, `vector`, `engine`.

    A draft is a text that needs a quote; `left` and `right` are its texts before and after the place of the
    quote. `query`, int32 (n,), is the input of encoder and ranker, cut to length. `before` and `after` are
    all WordPieces of the draft, as `WordPieces.tokenise_draft` returns them. `vector`, float32 (width,), is
    computed from `query`. `engine` names the engine that computed the vector.
    """
    query = models.wordpieces.tokenise_query(payload["title"], payload["left"])
    pieces = models.wordpieces.tokenise_draft(payload["title"], payload["left"], payload.get("right", ""))
    vector = models.encoder.encode_query(query)
    return {
        "query": query,
        "before": pieces.before,
        "after": pieces.after,
        "vector": vector,
        "engine": str(models.engine),
    }


def encode_paragraphs(models: Models, payload: Payload) -> dict[str, Any]:
    """Encode paragraphs: `texts` of n paragraphs -> `vectors` float32 (n, width) and their `tokens`."""
    encoded: list[Encoding] = models.encoder.encodings(payload["texts"])
    vectors = np.stack([e.vector for e in encoded]) if encoded else np.zeros((0, 0), np.float32)
    return {"vectors": vectors, "tokens": join_tokens([e.tokens for e in encoded])}


def rank_paragraphs(models: Models, payload: Payload) -> dict[str, Any]:
    """Score n paragraphs for a draft, and find the best span of each paragraph.

    The payload has the draft's `query`, and the `texts` and `tokens` of the paragraphs. It may have
    `placings`: how far each WordPiece is from words that the draft already quotes.

    The response has `scores` float32 (n,), `spans` int32 (n, 2) in code points, half-open, `span_scores`
    float32 (n,), and the name of the `engine`.
    """
    placings = split_placings(payload["placings"]) if "placings" in payload else None
    ranked = models.ranker.rank(payload["query"], payload["texts"], split_tokens(payload["tokens"]), placings)
    return {
        "scores": np.array([r.score for r in ranked], np.float32),
        "spans": np.array([(r.span.start_char, r.span.end_char) for r in ranked], np.int32).reshape(-1, 2),
        "span_scores": np.array([r.span.score for r in ranked], np.float32),
        "engine": str(models.engine),
    }


def estimate_scores(models: Models, payload: Payload) -> dict[str, Any]:
    """Estimate the scores of n paragraphs for a draft, with the lower layers of the ranker only.

    The payload has the draft's `query` and the `tokens` of the paragraphs. The response has `scores`, float32
    (n,), which approximate those that `rank_paragraphs` returns.
    """
    return {"scores": models.ranker.estimate(payload["query"], split_tokens(payload["tokens"]))}


def score_evidence(models: Models, payload: Payload) -> dict[str, Any]:
    """Score sentences as evidence for a claim: `claim`, `title`, `texts`, `spans` -> three arrays.

    `spans` locates the sentences of each text, m in all. The response is in the order of the spans. `scores`
    float32 (m,) are logits. `stances` float32 (m, 3) are the probabilities that a sentence supports the
    claim, contradicts it or is neutral. `read` (m,) is false for a sentence without a word, which the model
    cannot score; its score is then 0.
    """
    spans = split_spans(payload["spans"])
    model: Evidence = models.get_part("evidence")
    tokens = model.tokenise(list(payload["texts"]))
    judged = model.score(payload["claim"], tokens, spans, payload["title"])
    scores = np.concatenate([np.empty(0, np.float32), *(paragraph.scores for paragraph in judged)])
    stances = np.concatenate([np.empty((0, 3), np.float32), *(paragraph.stances for paragraph in judged)])
    read = np.isfinite(scores)
    return {"scores": np.where(read, scores, np.float32(0)), "stances": stances, "read": read}


def estimate_evidence(models: Models, payload: Payload) -> dict[str, Any]:
    """Estimate the scores of sentences as evidence for a claim, from the lower layers of the model only.

    Payload and response are those of `score_evidence`, without stances.
    """
    spans = split_spans(payload["spans"])
    model: Evidence = models.get_part("evidence")
    tokens = model.tokenise(list(payload["texts"]))
    estimates = model.estimate(payload["claim"], tokens, spans, payload["title"])
    scores = np.concatenate([np.empty(0, np.float32), *estimates])
    read = np.isfinite(scores)
    return {"scores": np.where(read, scores, np.float32(0)), "read": read}


def encode_gaps(models: Models, payload: Payload) -> dict[str, Any]:
    """Encode n gaps, places in a text where a quote is wanted, as arrays of vectors, float32 (n, width).

    `sides` in the payload has the texts before and after each gap. In the result, `own` has vectors of the
    quote model. `general` has vectors of the encoder, which reads both texts as one paragraph. If the payload
    asks for it, `draft` has further vectors of the encoder: it reads the text before the gap as a draft, or
    the text after the gap if there is none before.
    """
    sides = [(left, right) for left, right in payload["sides"]]
    own = models.get_part("famous").encode_contexts(sides)
    vectors = {"own": own, "general": _encode_general(models, [f"{left} {right}" for left, right in sides])}
    if payload["draft"]:
        drafts = [models.wordpieces.tokenise_query("", left or right) for left, right in sides]
        vectors["draft"] = np.stack([models.encoder.encode_query(query) for query in drafts])
    return vectors


def encode_quotes(models: Models, payload: Payload) -> dict[str, Any]:
    """Encode n well-known quotes: `texts`, `descriptions` -> `own`, `general`, float32 (n, width) each.

    `own` has vectors of the quote model for the texts. `general` has vectors of the encoder for the
    descriptions, which are the texts with their sources.
    """
    own = models.get_part("famous").encode_quotes(payload["texts"])
    return {"own": own, "general": _encode_general(models, payload["descriptions"])}


def _encode_general(models: Models, texts: Sequence[str]) -> NDArray[np.float32]:
    return np.stack([encoding.vector for encoding in models.encoder.encodings(texts)])


def make_claim() -> Payload:
    """Return an example payload of the tasks "evidence" and "evidence_estimate", to warm up the models."""
    spans = join_spans([[(0, len(EXAMPLE))]])
    return {"claim": EXAMPLE, "title": "", "texts": [EXAMPLE], "spans": spans}


TASKS: dict[str, Task] = {
    "draft": Task(encode_draft, ("encoder", "tokenizer"), lambda _: {"title": EXAMPLE, "left": EXAMPLE}),
    "encode": Task(encode_paragraphs, ("encoder", "tokenizer"), lambda _: {"texts": [EXAMPLE]}),
    "rank": Task(
        rank_paragraphs,
        ("ranker", "tokenizer"),
        lambda done: {
            "query": done["draft"]["query"],
            "texts": [EXAMPLE],
            "tokens": done["encode"]["tokens"],
        },
        RANK_TURN_PARTS,
    ),
    "estimate": Task(
        estimate_scores,
        ("early", "tokenizer"),
        lambda done: {"query": done["draft"]["query"], "tokens": done["encode"]["tokens"]},
        RANK_TURN_PARTS,
    ),
    "evidence": Task(score_evidence, ("evidence", "tokenizer"), lambda _: make_claim()),
    "evidence_estimate": Task(
        estimate_evidence, ("evidence", "evidence_early", "tokenizer"), lambda _: make_claim()
    ),
    "famous_gaps": Task(encode_gaps, ("famous", "encoder", "tokenizer")),
    "famous_quotes": Task(encode_quotes, ("famous", "encoder", "tokenizer")),
}
"""All tasks by name. A job with its own model adds its task here."""
