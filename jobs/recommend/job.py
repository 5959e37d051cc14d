"""Recommend paragraphs for a draft: the one code path, from a draft to ranked paragraphs with their spans.

first stage -> candidates -> ranker and spans -> merge. A stage that fails or times out is skipped and named
in `Answer.degraded`. Once ranking has begun, only the sentences around the spans are read from the archive.
So an answer whose time is up lacks them, or the ranker's scores, but is still an answer. The archive is
indispensable. Models that run in this process are too: damaged weights or a lost GPU raise an error instead
of a worse answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobs.ranking_tasks import Judged, judge, judge_best
from jobs.recommend.asked_words import mark_asked
from jobs.recommend.asking import is_asking_view, take_question
from jobs.recommend.candidates import Reading, choose, merge_columns, parse_reading, search
from jobs.recommend.draft_notes import describe_draft, is_english, take_headers
from jobs.recommend.printing import prepare_all
from jobs.recommend.remarks import describe_answer
from jobs.recommend.spelling import correct_draft
from jobs.recommend.timings import Around, Stages
from reranker.fit_probability import estimate_fit
from reranker.fusion import FusionWeights, fuse_late, sum_weighted
from reranker.signals.begun_sentence import LEAST_OPENED, has_run, list_opened
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import SOUGHT, has_words, is_query
from reranker.signals.word_forms import read_forms
from rostrum_core.candidates import Candidates
from rostrum_core.dates import count_day
from rostrum_core.deadline import get_left_s, limit_time
from rostrum_core.errors import BadInput, StoreError, TaskError
from rostrum_core.ports import DEPTH, ParagraphStore, Runner
from rostrum_core.types import (
    Answer,
    Candidate,
    DocumentInfo,
    Draft,
    Filter,
    Generation,
    Recommendation,
    Span,
)

DRAFT_SHARE = 0.5  # of the time: if no worker reads the draft, the first stage has the other half
RANK_SHARE = 0.9  # of what is left then: the answer has to be merged and sent
RANKED = 20
"""Candidates that run through all layers of a ranker with an early head, if no more answers are asked for."""

ATTEMPTS = 3  # to read from one generation while others publish


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """The data of an answer before anything is ranked; `infos` by document."""

    stages: Stages
    generation: Generation | None
    reading: Reading
    candidates: Candidates
    infos: Mapping[str, DocumentInfo]


class Recommender:
    """Answer drafts over one archive with one set of models, which compute `batch_tokens` in one pass.

    `vocabulary` returns the words that they know, by which misspelt ones are corrected. With `early`, their
    ranker has an early head: after a few layers only the best `RANKED` candidates run through the others.
    """

    def __init__(
        self,
        store: ParagraphStore,
        runner: Runner,
        weights: FusionWeights,
        *,
        encoder: str,
        tokenizer: str,
        models: dict[str, str],
        batch_tokens: int,
        early: bool = False,
        vocabulary: Callable[[], Collection[str]] = frozenset,
        around: Around = nullcontext,
    ) -> None:
        self._store, self._runner, self._weights = store, runner, weights
        self._encoder, self._tokenizer, self._models = encoder, tokenizer, models
        self._batch_tokens, self._vocabulary, self._around = batch_tokens, vocabulary, around
        self._early = early
        self._notes: list[str] = []
        self._remarks: list[str] = []
        self._names = True
        self._asks_view = False

    def recommend(
        self,
        draft: Draft,
        *,
        filter: Filter,
        limit: int,
        candidates: int,
        timeout_s: float,
        ranked: bool = True,
        printed: bool = True,
        names: bool = True,
    ) -> Answer:
        """Return the best `limit` paragraphs of at most `candidates`; of duplicates, only the best.

        If the filter names documents, all their paragraphs are candidates, but only the best `DEPTH` of the
        first stage unless `candidates` is larger. This bounds what one request can have ranked.

        Without `ranked`, they come in the order of the first stage, without spans. Without `printed`, the
        spans are those that the model cut, without context. Without `names`, a speaker whom the draft names
        counts like any other.

        Raises:
            BadInput: the draft is empty or its day is invalid, or `limit` is below 1.
            StoreError: the archive cannot be searched.
            ModelError: the models cannot be run in this process.
        """
        _check(draft, limit, candidates)
        with limit_time(timeout_s):
            self._notes, self._names = describe_draft(draft), names
            self._asks_view = names and is_asking_view(draft)
            return self._answer(
                self._correct(take_question(take_headers(draft))), filter, limit, candidates, ranked, printed
            )

    def _correct(self, draft: Draft) -> Draft:
        """Return an English draft with its misspelt words corrected, and note them."""
        if is_english(draft):
            draft, self._remarks = correct_draft(draft, self._store, self._vocabulary())
        return draft

    def _answer(
        self, draft: Draft, filter: Filter, limit: int, candidates: int, ranked: bool, printed: bool
    ) -> Answer:
        retrieved = self._retrieve(draft, filter, limit, candidates, ranked)
        stages, judged = retrieved.stages, None
        if ranked:
            with stages.time_stage("rank"):
                judged = self._judge(draft, retrieved, max(limit, RANKED))
        with stages.time_stage("merge"):
            recommendations = self._merge(draft, retrieved, judged, limit)
        if judged is not None and printed:
            with stages.time_stage("print"):
                asked_words = _read_asked_words(draft)
                recommendations = prepare_all(recommendations, self._store, stages, asked_words)
        return Answer(
            recommendations,
            len(retrieved.candidates),
            tuple(stages.degraded),
            stages.timings_s,
            self._models,
            retrieved.generation.name if retrieved.generation else None,
            fit := self._estimate_fit(draft, recommendations, judged),
            (*describe_answer(recommendations, fit), *self._remarks),
            _name_engines(retrieved.reading, judged),
        )

    def _estimate_fit(
        self, draft: Draft, recommendations: Sequence[Recommendation], judged: Judged | None
    ) -> float | None:
        if judged is None or not recommendations:
            return None
        best = recommendations[0].scores
        return estimate_fit(best, self._weights.fit, is_query=is_query(draft))

    def _retrieve(
        self, draft: Draft, filter: Filter, limit: int, candidates: int, ranked: bool
    ) -> _Retrieved:
        """Read all that an answer takes from the archive, out of one generation.

        If they are to be `ranked`, any of the candidates may get among the first `limit`.
        """
        for _ in range(ATTEMPTS):
            stages, generation = Stages(self._around), self._store.published()
            stages.degraded += self._notes
            with stages.time_stage("draft"):
                reading = self._read(draft, generation, stages, ranked)
            with stages.time_stage("candidates"):
                chosen = self._find_candidates(draft, filter, reading, candidates, ranked)
                infos = self._read_infos(chosen, None if ranked else limit)
            if self._store.published() == generation:
                return _Retrieved(stages, generation, reading, chosen, infos)
        raise StoreError(f"others published the archive during each of {ATTEMPTS} attempts")

    def _read_infos(self, candidates: Candidates, limit: int | None) -> dict[str, DocumentInfo]:
        """Return the documents of the candidates, or of the best `limit` of the first stage."""
        if not len(candidates):
            return {}
        best = np.argsort(-candidates.columns["first_stage"], kind="stable")[:limit]
        ids = sorted({candidates.documents[owner] for owner in candidates.owners[best].tolist()})
        return {info.id: info for info in self._store.documents(ids)}

    def _read(self, draft: Draft, generation: Generation | None, stages: Stages, ranked: bool) -> Reading:
        """Read the draft by the models, as far as the same models encoded the archive."""
        # These stages need WordPieces of draft and text.
        of_pieces = ["quoted", "rank"] if ranked else ["quoted"]
        payload = {"title": draft.title, "left": draft.left, "right": draft.right}
        try:
            (answer,) = self._runner.run("draft", [payload], timeout_s=DRAFT_SHARE * get_left_s())
            reading = parse_reading(answer)
        except TaskError as error:
            stages.skip("dense", error)
            stages.degraded += [f"{stage}: the draft was not read" for stage in of_pieces]
            return Reading()
        if generation and generation.encoder != self._encoder:
            stages.degraded.append("dense: the archive was encoded by another encoder")
            reading = replace(reading, vector=None)
        if generation and generation.tokenizer != self._tokenizer:
            cause = "the archive holds WordPieces of another tokenizer"
            stages.degraded += [f"{stage}: {cause}" for stage in of_pieces]
            reading = replace(reading, query=None, pieces=None)
        return reading

    def _find_candidates(
        self, draft: Draft, filter: Filter, reading: Reading, most: int, ranked: bool
    ) -> Candidates:
        """Return the best of the first stage.

        Unless they are `ranked`, the text after the quote is not searched for.
        """
        depth = max(DEPTH, most)
        candidates = search(self._store, draft, reading, filter, depth=depth, names=self._names)
        weights = self._weights.within if filter.documents else self._weights.candidates
        weights = weights if ranked else {**weights, "follows": 0.0}
        weights = self._weights.query if has_words(candidates) else weights
        return choose(candidates, weights, depth if filter.documents else most, distinct=not filter.documents)

    def _judge(self, draft: Draft, retrieved: _Retrieved, most: int) -> Judged | None:
        """Return the ranker's results for the candidates, of only the best `most` with an early head."""
        candidates, query = retrieved.candidates, retrieved.reading.query
        if query is None or not len(candidates):
            return None
        weights, columns = self._adapt_weights(draft, candidates), merge_columns(candidates)
        first, equal = sum_weighted(columns, weights.paragraph), np.zeros(len(candidates))

        def choose_best(estimates: NDArray[np.float64]) -> list[int]:
            scores = fuse_late(estimates, equal, first, weights)
            chosen: list[int] = np.argsort(-scores, kind="stable")[:most].tolist()
            return chosen

        read = candidates.read(range(len(candidates)))
        texts, tokens = [paragraph.text for paragraph, _ in read], [pieces for _, pieces in read]
        placings = [candidates.placings.get(row) for row in range(len(candidates))]
        try:
            task = self._runner, query, texts, tokens, placings
            limits: dict[str, Any] = {
                "batch_tokens": self._batch_tokens,
                "timeout_s": RANK_SHARE * get_left_s(),
            }
            if self._early and len(candidates) > most:
                return judge_best(*task, choose_best, **limits)
            return judge(*task, **limits)
        except TaskError as error:
            retrieved.stages.skip("rank", error)
            return None

    def _adapt_weights(self, draft: Draft, candidates: Candidates) -> FusionWeights:
        """Return the weights of the merged answer; they were fitted on drafts like those of the training."""
        weights = self._weights
        if has_words(candidates):
            weights = weights.adapt_to_queries()
        elif not is_english(draft):
            weights = weights.adapt_to_names()
        return weights.adapt_to_speaker() if self._asks_view else weights

    def _merge(
        self, draft: Draft, retrieved: _Retrieved, judged: Judged | None, limit: int
    ) -> tuple[Recommendation, ...]:
        weights = self._adapt_weights(draft, retrieved.candidates)
        scored = add_scores(retrieved.candidates, judged, weights)
        by = "first_stage" if judged is None else "final"
        order = np.argsort(-scored.columns[by], kind="stable")[:limit].tolist() if len(scored) else []
        return tuple(
            Recommendation(
                rank,
                candidate.paragraph,
                _get_info(retrieved.infos, candidate.paragraph.document_id),
                () if judged is None else (_mark_span(draft, candidate, judged.spans[row]),),
                candidate.scores,
            )
            for rank, (row, candidate) in enumerate(zip(order, scored.take(order), strict=True), 1)
        )


def _mark_span(draft: Draft, candidate: Candidate, span: Span) -> Span:
    """Return the span of a candidate; if it has the words that are asked for, a span with them."""
    if is_query(draft):
        exact = candidate.scores.get("exact")
        is_asked = exact is not None and exact >= SOUGHT
    else:
        opened = list_opened(draft.left)
        is_asked = len(opened) >= LEAST_OPENED and has_run(split_words(candidate.paragraph.text), opened)
    return mark_asked(_read_asked_words(draft), candidate.paragraph.text, span) if is_asked else span


def _read_asked_words(draft: Draft) -> list[str]:
    """Return the words of a short query, or of a quotation that the draft opens and does not close."""
    if is_query(draft):
        return read_forms(f"{draft.title} {draft.left}")
    opened = list_opened(draft.left)
    return read_forms(" ".join(opened)) if len(opened) >= LEAST_OPENED else []


def _name_engines(reading: Reading, judged: Judged | None) -> str | None:
    """Name what computed the models for an answer, each only once."""
    engines = {*(judged.engines if judged else ()), *([reading.engine] if reading.engine else ())}
    return ", ".join(sorted(engines)) or None


def add_scores(candidates: Candidates, judged: Judged | None, weights: FusionWeights) -> Candidates:
    """Return the candidates with the columns `model`, `span` and `final`, all missing of one not ranked."""
    if judged is None:
        missing = np.full(len(candidates), np.nan)
        return candidates.add_columns({"model": missing, "span": missing, "final": missing})
    columns = {"model": judged.model, "span": judged.span, "final": fuse(candidates, judged, weights)}
    ranked = {name: np.where(judged.is_ranked, scores, np.nan) for name, scores in columns.items()}
    return candidates.add_columns(ranked)


def fuse(candidates: Candidates, judged: Judged, weights: FusionWeights) -> NDArray[np.float64]:
    """Return the scores of all candidates by late fusion of span and paragraph, float64 (n,)."""
    columns = merge_columns(candidates)
    return fuse_late(judged.model, judged.span, sum_weighted(columns, weights.paragraph), weights)


def _get_info(infos: Mapping[str, DocumentInfo], document_id: str) -> DocumentInfo:
    """Return the metadata of a document; only its id if the archive lost it."""
    return infos.get(document_id) or DocumentInfo(document_id, document_id)


def check_draft(draft: Draft) -> None:
    """Raise `BadInput` for an empty draft, or for one with an invalid day."""
    if not (draft.title + draft.left).strip():
        raise BadInput("the draft is empty: give a title or the text before the quote", field="left")
    if draft.written_on is not None:
        count_day(draft.written_on, "written_on")


def _check(draft: Draft, limit: int, candidates: int) -> None:
    check_draft(draft)
    for name, value in (("limit", limit), ("candidates", candidates)):
        if value < 1:
            raise BadInput(f"{name} must be at least 1, not {value}", field=name)
