"""The one code path of the main job: a draft in, ranked paragraphs with the spans worth quoting out.

first stage -> candidates -> ranker and spans -> merge. A stage that fails is skipped and named in
`Answer.degraded`; only the archive itself is indispensable.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import STAGES, FusionWeights, late_fusion, lengths, weighted
from rostrum.core.errors import BadInput, StoreError, TaskError
from rostrum.core.ports import DEPTH, ParagraphStore, Query, Runner
from rostrum.core.types import (
    Answer,
    Candidate,
    DocumentInfo,
    Draft,
    Filter,
    Generation,
    Recommendation,
    Span,
)
from rostrum.service.course import Course
from rostrum.service.parts import Judged, judged_of, parts
from rostrum.service.queries import document_text, paragraph_text, pruned
from workers.payloads import joined

DRAFT_SHARE = 0.5  # of the time: a draft that nobody reads leaves the first stage the other half
ATTEMPTS = 3  # at an answer out of one generation, while others publish


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
        deadline = time.monotonic() + timeout_s
        for _ in range(ATTEMPTS):
            generation = self._published()
            answer = self._answer(draft, filter, limit, candidates, deadline, generation)
            if self._published() == generation:
                return answer
        raise StoreError(f"the archive was published anew during each of {ATTEMPTS} attempts")

    def _published(self) -> Generation | None:
        return next((g for g in self._store.generations() if g.published), None)

    def _answer(
        self,
        draft: Draft,
        filter: Filter,
        limit: int,
        candidates: int,
        deadline: float,
        generation: Generation | None,
    ) -> Answer:
        course = Course()
        with course.stage("draft"):
            query = self._read(draft, generation, course, deadline)
        with course.stage("candidates"):
            found = self._candidates(draft, filter, query, candidates)
        with course.stage("rank"):
            judged = self._judge(query, found, course, deadline)
        with course.stage("merge"):
            recommendations = self._merged(found, judged, limit)
        return Answer(
            recommendations,
            len(found),
            tuple(course.degraded),
            course.timings_s,
            self._models,
            generation.name if generation else None,
        )

    def _read(
        self, draft: Draft, generation: Generation | None, course: Course, deadline: float
    ) -> Mapping[str, Any]:
        """The draft's `query` and `vector`, each only where the archive was made by the same models."""
        read: dict[str, Any] = {}
        try:
            payload = {"title": draft.title, "left": draft.left}
            read.update(self._runner.run("draft", [payload], timeout_s=DRAFT_SHARE * _left(deadline))[0])
        except TaskError as error:
            course.degraded += [f"dense: {error}", "rank: the draft was not read"]
            return read
        if generation and generation.encoder != self._encoder:
            course.degraded.append("dense: the archive was encoded by another encoder")
            del read["vector"]
        if generation and generation.tokenizer != self._tokenizer:
            course.degraded.append("rank: the archive holds WordPieces of another tokenizer")
            del read["query"]
        return read

    def _candidates(
        self, draft: Draft, filter: Filter, query: Mapping[str, Any], most: int
    ) -> list[Candidate]:
        every = bool(filter.documents)
        found = self._store.search(
            Query(
                pruned(paragraph_text(draft), self._store),
                document_text(draft),
                query.get("vector"),
                filter,
                depth=max(DEPTH, most),
                every=every,
            )
        )
        if not found:
            return []
        weights = self._weights.within if every else self._weights.candidates
        scored = [
            replace(c, scores=replace(c.scores, first_stage=float(score)))
            for c, score in zip(found, weighted(stages_of(found), weights), strict=True)
        ]
        scored.sort(key=lambda c: (-(c.scores.first_stage or 0.0), *_place(c)))
        return scored if every else scored[:most]

    def _judge(
        self, query: Mapping[str, Any], found: list[Candidate], course: Course, deadline: float
    ) -> Judged | None:
        if "query" not in query or not found:
            return None
        cuts = parts(found)
        payloads = [
            {
                "query": query["query"],
                "texts": [c.paragraph.text for c in part],
                "tokens": joined([c.tokens for c in part]),
            }
            for part in ([found[i] for i in cut] for cut in cuts)
        ]
        try:
            answers = self._runner.run("rank", payloads, timeout_s=_left(deadline))
        except TaskError as error:
            course.degraded.append(f"rank: {error}")
            return None
        return judged_of(answers, cuts)

    def _merged(
        self, found: list[Candidate], judged: Judged | None, limit: int
    ) -> tuple[Recommendation, ...]:
        ranked = self._ranked(found, judged)[:limit]
        ids = sorted({c.paragraph.document_id for c, _ in ranked})
        infos = {info.id: info for info in self._store.documents(ids)}
        return tuple(
            Recommendation(rank, c.paragraph, _info(infos, c.paragraph.document_id), spans, c.scores)
            for rank, (c, spans) in enumerate(ranked, 1)
        )

    def _ranked(
        self, found: list[Candidate], judged: Judged | None
    ) -> list[tuple[Candidate, tuple[Span, ...]]]:
        if judged is None:
            return [(c, ()) for c in found]
        final = fused(found, judged, self._weights)
        ranked = [
            (replace(c, scores=replace(c.scores, model=float(m), span=span.score, final=float(f))), span)
            for c, m, f, span in zip(found, judged.model, final, judged.spans, strict=True)
        ]
        ranked.sort(key=lambda pair: (-(pair[0].scores.final or 0.0), *_place(pair[0])))
        return [(candidate, (span,)) for candidate, span in ranked]


def fused(found: Sequence[Candidate], judged: Judged, weights: FusionWeights) -> NDArray[np.float64]:
    """What the answer is ordered by: late fusion of span and paragraph over all candidates, float64 (n,)."""
    known: dict[str, Sequence[float | None]] = dict(stages_of(found))
    known["length"] = lengths([c.paragraph.text for c in found])
    return late_fusion(judged.model, judged.span, weighted(known, weights.paragraph), weights)


def stages_of(found: Sequence[Candidate]) -> dict[str, list[float | None]]:
    """The candidates' first-stage scores by stage."""
    return {stage: [getattr(c.scores, stage) for c in found] for stage in STAGES}


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.paragraph.document_id, candidate.paragraph.ordinal


def _info(infos: Mapping[str, DocumentInfo], document_id: str) -> DocumentInfo:
    """What is known of a document. One that a publication took away meanwhile is in an answer nobody gets."""
    return infos.get(document_id) or DocumentInfo(document_id, document_id)


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _check(draft: Draft, limit: int, candidates: int) -> None:
    if not (draft.title + draft.left).strip():
        raise BadInput("the draft is empty: give a title or the text before the quote", field="left")
    for name, value in (("limit", limit), ("candidates", candidates)):
        if value < 1:
            raise BadInput(f"{name} must be at least 1, not {value}", field=name)
