"""The one code path of the main job: a draft in, ranked paragraphs with the spans worth quoting out.

first stage -> candidates -> ranker and spans -> merge. A stage that fails is skipped and named in
`Answer.degraded`; only the archive itself is indispensable.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import FusionWeights, late_fusion, weighted
from rostrum.core.errors import BadInput, TaskError
from rostrum.core.ports import ParagraphStore, Query, Runner
from rostrum.core.types import Answer, Candidate, Draft, Filter, Recommendation, Span
from rostrum.service.queries import document_text, paragraph_text, pruned
from workers.payloads import joined

TASK_TOKENS = 8192  # of candidates in one task: about half a second on two cores
FIRST_STAGES = ("lexical", "dense", "document")


@dataclass(frozen=True, eq=False)
class Judged:
    """What the ranker says of n candidates: logits float64 (n,) and the best span of each."""

    model: NDArray[np.float64]
    span: NDArray[np.float64]
    spans: tuple[Span, ...]


@dataclass
class Course:
    """What happened while one answer was made."""

    timings_s: dict[str, float] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Times what is done within, and adds it to the stage's time."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.timings_s[name] = self.timings_s.get(name, 0.0) + time.monotonic() - began


class Recommender:
    """Answers drafts over one archive with one set of models."""

    def __init__(
        self,
        store: ParagraphStore,
        runner: Runner,
        weights: FusionWeights,
        *,
        encoder: str,
        tokenizer: str,
        models: dict[str, str],
    ) -> None:
        self._store, self._runner, self._weights = store, runner, weights
        self._encoder, self._tokenizer, self._models = encoder, tokenizer, models

    def recommend(
        self, draft: Draft, *, filter: Filter, limit: int, candidates: int, timeout_s: float
    ) -> Answer:
        """The best `limit` paragraphs of at most `candidates`; of named documents, all are candidates.

        Raises:
            BadInput: the draft is empty or `limit` is below 1.
            StoreError: the archive cannot be searched.
        """
        _check(draft, limit, candidates)
        course, deadline = Course(), time.monotonic() + timeout_s
        generation = next((g for g in self._store.generations() if g.published), None)
        same = generation is not None and (generation.encoder, generation.tokenizer) == (
            self._encoder,
            self._tokenizer,
        )
        with course.stage("draft"):
            query = self._read(draft, same, course, deadline)
        with course.stage("candidates"):
            vector = None if query is None else query["vector"]
            found = self._candidates(draft, filter, vector if same else None, candidates)
        with course.stage("rank"):
            judged = self._judge(query, found, course, deadline) if same else None
        with course.stage("merge"):
            ranked = self._merge(found, judged)[:limit]
            infos = {
                i.id: i for i in self._store.documents(sorted({c.paragraph.document_id for c, _ in ranked}))
            }
            recommendations = tuple(
                Recommendation(rank, c.paragraph, infos[c.paragraph.document_id], spans, c.scores)
                for rank, (c, spans) in enumerate(ranked, 1)
            )
        return Answer(
            recommendations,
            len(found),
            tuple(course.degraded),
            course.timings_s,
            self._models,
            generation.name if generation else None,
        )

    def _read(self, draft: Draft, same: bool, course: Course, deadline: float) -> Any:
        if not same:
            course.degraded += ["dense: the archive was encoded by other models", "rank: likewise"]
            return None
        payload = {"title": draft.title, "left": draft.left}
        try:
            return self._runner.run("draft", [payload], timeout_s=_left(deadline))[0]
        except TaskError as error:
            course.degraded += [f"dense: {error}", "rank: the draft was not encoded"]
            return None

    def _candidates(
        self, draft: Draft, filter: Filter, vector: NDArray[np.float32] | None, most: int
    ) -> list[Candidate]:
        every = bool(filter.documents)
        query = Query(
            pruned(paragraph_text(draft), self._store), document_text(draft), vector, filter, every=every
        )
        found = self._store.search(query)
        stages = {stage: [getattr(c.scores, stage) for c in found] for stage in FIRST_STAGES}
        fused = weighted(stages, self._weights.candidates) if found else np.zeros(0)
        scored = [
            replace(c, scores=replace(c.scores, first_stage=float(score)))
            for c, score in zip(found, fused, strict=True)
        ]
        scored.sort(
            key=lambda c: (-(c.scores.first_stage or 0.0), c.paragraph.document_id, c.paragraph.ordinal)
        )
        return scored if every else scored[:most]

    def _judge(self, query: Any, found: list[Candidate], course: Course, deadline: float) -> Judged | None:
        if query is None or not found:
            return None
        payloads = [
            {
                "query": query["query"],
                "texts": [c.paragraph.text for c in part],
                "tokens": joined([c.tokens for c in part]),
            }
            for part in parts(found)
        ]
        try:
            answers = self._runner.run("rank", payloads, timeout_s=_left(deadline))
        except TaskError as error:
            course.degraded.append(f"rank: {error}")
            return None
        return judged_of(answers)

    def _merge(
        self, found: list[Candidate], judged: Judged | None
    ) -> list[tuple[Candidate, tuple[Span, ...]]]:
        if judged is None:
            return [(c, ()) for c in found]
        final = merged(found, judged, self._weights)
        scored: list[tuple[Candidate, tuple[Span, ...]]] = [
            (
                replace(c, scores=replace(c.scores, model=float(m), span=float(s), final=float(f))),
                (span,),
            )
            for c, m, s, f, span in zip(found, judged.model, judged.span, final, judged.spans, strict=True)
        ]
        scored.sort(key=lambda pair: (-(pair[0].scores.final or 0.0), *_place(pair[0], pair[1][0])))
        return scored


def merged(found: Sequence[Candidate], judged: Judged, weights: FusionWeights) -> NDArray[np.float64]:
    """What the answer is ordered by: late fusion of span and paragraph over all candidates, float64 (n,)."""
    stages = {stage: [getattr(c.scores, stage) for c in found] for stage in FIRST_STAGES}
    return late_fusion(judged.model, judged.span, weighted(stages, weights.paragraph), weights)


def judged_of(answers: Sequence[Any]) -> Judged:
    """The answers of the task `rank`, joined in order."""
    bounds = np.concatenate([answer["spans"] for answer in answers])
    scores = np.concatenate([answer["span_scores"] for answer in answers]).astype(np.float64)
    spans = tuple(
        Span(int(start), int(end), float(score)) for (start, end), score in zip(bounds, scores, strict=True)
    )
    return Judged(np.concatenate([a["scores"] for a in answers]).astype(np.float64), scores, spans)


def parts(found: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates in order, cut where `TASK_TOKENS` are reached: by the candidates only, not the workers."""
    cuts: list[list[Candidate]] = []
    size = TASK_TOKENS
    for candidate in found:
        size += len(candidate.tokens) + 2
        if size > TASK_TOKENS:
            cuts.append([])
            size = len(candidate.tokens) + 2
        cuts[-1].append(candidate)
    return cuts


def _place(candidate: Candidate, span: Span) -> tuple[str, int, int]:
    return candidate.paragraph.document_id, candidate.paragraph.ordinal, span.start_char


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _check(draft: Draft, limit: int, candidates: int) -> None:
    if not (draft.title + draft.left).strip():
        raise BadInput("the draft is empty: give a title or the text before the quote", field="left")
    if limit < 1 or candidates < 1:
        raise BadInput("limit and candidates must be at least 1", field="limit")
