"""Recommend paragraphs for a draft: the one code path from a draft to ranked paragraphs with their spans (the
words worth quoting).

The steps are: first stage -> candidates -> ranker and spans -> merge. A step that fails or times out is
skipped and named in `Answer.degraded`. Once ranking has begun, only the sentences around the spans are read
from the archive. So if the time runs out, the answer lacks these sentences or the ranker's scores, but it
still has the paragraphs.

A failing archive always raises an error. Models that run in this process also raise an error when they fail:
damaged weights or a lost GPU must not silently make answers worse.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobs.attribution import get_info
from jobs.ranking_tasks import RankerResults, judge, judge_best
from jobs.recommend.asked_words import has_line, mark_asked, mark_continued, read_continued, read_line
from jobs.recommend.asking import find_remembered, is_asking_view, take_question
from jobs.recommend.candidates import EncodedDraft, choose, merge_columns, parse_encoded_draft, search
from jobs.recommend.draft_notes import describe_draft, is_english, take_headers
from jobs.recommend.print_order import FURTHER, prepare_best
from jobs.recommend.printing import Preparer, add_quote
from jobs.recommend.remarks import describe_absent, describe_answer, describe_required
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
"""Number of candidates that run through all layers of a ranker with an early head, unless more answers are
requested.
"""

RANKED_TOKENS = 2000
"""Most WordPieces of these candidates in all, unless the `FEWEST_RANKED` or requested ones have more.

Without it, drafts with long candidates take almost twice the median time.
"""

FEWEST_RANKED = 10
ESTIMATE_SHARE = 0.5
"""Weight of an estimate, relative to the score that it approximates, when candidates are chosen."""

ATTEMPTS = 3  # to read from one generation while others publish


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """Hold what was read from the archive before ranking; `infos` has metadata of documents by id."""

    stages: Stages
    generation: Generation | None
    encoded: EncodedDraft
    candidates: Candidates
    infos: Mapping[str, DocumentInfo]


class Recommender:
    """Recommend paragraphs of one archive with one set of models.

    The ranker computes `batch_tokens` tokens in one pass. `vocabulary` returns the words that the models
    know; they serve to correct misspelt words. If `early` is true, the ranker has an early head. This head
    estimates the scores of all candidates after a few layers of the model, and only the best `RANKED`
    candidates run through the remaining layers.
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
        """Return the best `limit` paragraphs for a draft, chosen among at most `candidates` paragraphs of the
        first stage.

        Of several paragraphs with the same words, only the best is ranked. This does not apply if the filter
        names documents. Then all their paragraphs are ranked, up to `DEPTH` or `candidates`, whichever is
        larger.

        If `ranked` is false, paragraphs are in the order of the first stage and have no spans. If `printed`
        is false, spans (the words worth quoting) are as the model chose them, without the changes that make
        them fit for print and without the sentences around them. If `names` is false, speakers whom the draft
        names get no bonus.

        Raises:
            BadInput: the draft is empty or its day is invalid, or `limit` is below 1.
            StoreError: the archive cannot be searched.
            ModelError: the models cannot be run in this process.
        """
        _check(draft, limit, candidates)
        with limit_time(timeout_s):
            self._notes, self._names = describe_draft(draft), names
            self._asks_view = names and is_asking_view(draft)
            read, self._remarks = prepare_draft(draft, self._store, self._vocabulary)
            return self._answer(read, filter, limit, candidates, ranked, printed)

    def _answer(
        self, draft: Draft, filter: Filter, limit: int, candidates: int, ranked: bool, printed: bool
    ) -> Answer:
        retrieved = self._retrieve(draft, filter, limit, candidates, ranked)
        stages, judged = retrieved.stages, None
        if ranked:
            with stages.time_stage("rank"):
                judged = self._judge(draft, retrieved, limit)
        asked_words = _read_asked_words(draft)
        is_printed = printed and judged is not None
        further = FURTHER if is_printed and not asked_words else 0
        with stages.time_stage("merge"):
            recommendations = self._merge(draft, retrieved, judged, limit + further)
        if is_printed:
            asked_words = asked_words or _read_line_words(draft, recommendations)
            with stages.time_stage("print"):
                recommendations = self._prepare(recommendations, limit, stages, asked_words)
        if printed:
            recommendations = tuple(map(add_quote, recommendations))
        return Answer(
            recommendations,
            len(retrieved.candidates),
            tuple(stages.degraded),
            stages.timings_s,
            self._models,
            retrieved.generation.name if retrieved.generation else None,
            fit := self._estimate_fit(draft, recommendations, judged),
            (
                *describe_answer(recommendations, fit),
                *describe_required(draft, recommendations),
                *(describe_absent(draft, recommendations) if self._names else ()),
                *self._remarks,
            ),
            _name_engines(retrieved.encoded, judged),
        )

    def _estimate_fit(
        self, draft: Draft, recommendations: Sequence[Recommendation], judged: RankerResults | None
    ) -> float | None:
        if judged is None or not recommendations:
            return None
        best = recommendations[0].scores
        return estimate_fit(best, self._weights.fit, is_query=is_query(draft))

    def _retrieve(
        self, draft: Draft, filter: Filter, limit: int, candidates: int, ranked: bool
    ) -> _Retrieved:
        """Read from the archive all that an answer needs, from one and the same generation (published state).

        If the candidates will be `ranked`, metadata is read for all of them, because any of them may become
        one of the first `limit`.
        """
        for _ in range(ATTEMPTS):
            stages, generation = Stages(self._around), self._store.published()
            stages.degraded += self._notes
            with stages.time_stage("draft"):
                encoded = self._read(draft, generation, stages, ranked)
            with stages.time_stage("candidates"):
                chosen = self._find_candidates(draft, filter, encoded, candidates, ranked)
                infos = self._read_infos(chosen, None if ranked else limit)
            if self._store.published() == generation:
                return _Retrieved(stages, generation, encoded, chosen, infos)
        raise StoreError(f"others published the archive during each of {ATTEMPTS} attempts")

    def _read_infos(self, candidates: Candidates, limit: int | None) -> dict[str, DocumentInfo]:
        """Return the metadata of the candidates' documents, by document id.

        If `limit` is set, only the best `limit` candidates of the first stage count.
        """
        if not len(candidates):
            return {}
        best = np.argsort(-candidates.columns["first_stage"], kind="stable")[:limit]
        ids = sorted({candidates.documents[owner] for owner in candidates.owners[best].tolist()})
        return {info.id: info for info in self._store.documents(ids)}

    def _read(
        self, draft: Draft, generation: Generation | None, stages: Stages, ranked: bool
    ) -> EncodedDraft:
        """Encode the draft on a worker.

        A part of the result is `None` if it cannot be compared with the archive, because other models encoded
        the archive. If no worker encodes the draft in time, all parts are `None`.
        """
        # These stages need WordPieces of draft and text.
        of_pieces = ["quoted", "rank"] if ranked else ["quoted"]
        payload = {"title": draft.title, "left": draft.left, "right": draft.right}
        try:
            (answer,) = self._runner.run("draft", [payload], timeout_s=DRAFT_SHARE * get_left_s())
            encoded = parse_encoded_draft(answer)
        except TaskError as error:
            stages.skip("dense", error)
            stages.degraded += [f"{stage}: the draft was not read" for stage in of_pieces]
            return EncodedDraft()
        if generation and generation.encoder != self._encoder:
            stages.degraded.append("dense: the archive was encoded by another encoder")
            encoded = replace(encoded, vector=None)
        if generation and generation.tokenizer != self._tokenizer:
            cause = "the archive holds WordPieces of another tokenizer"
            stages.degraded += [f"{stage}: {cause}" for stage in of_pieces]
            encoded = replace(encoded, query=None, pieces=None)
        return encoded

    def _find_candidates(
        self, draft: Draft, filter: Filter, encoded: EncodedDraft, most: int, ranked: bool
    ) -> Candidates:
        """Run the first stage (search without the ranker), and return at most `most` candidates, best first.

        If the filter names documents, at least `DEPTH` candidates are allowed.

        `ranked` says whether the ranker runs afterwards. If not, the first stage ignores the signal
        *follows*, which prefers paragraphs near words that the draft already quotes.
        """
        depth = max(DEPTH, most)
        candidates = search(self._store, draft, encoded, filter, depth=depth, names=self._names)
        weights = self._weights.within if filter.documents else self._weights.candidates
        weights = weights if ranked else {**weights, "follows": 0.0}
        weights = self._weights.query if has_words(candidates) else weights
        return choose(candidates, weights, depth if filter.documents else most, distinct=not filter.documents)

    def _judge(self, draft: Draft, retrieved: _Retrieved, limit: int) -> RankerResults | None:
        """Return the ranker's scores and spans for the candidates; `None` if the ranker was skipped.

        If the models have an early head, only the best candidates are ranked, at least `limit`. The others
        keep the scores that the early head estimates.
        """
        candidates, query = retrieved.candidates, retrieved.encoded.query
        if query is None or not len(candidates):
            return None
        weights, columns = self._adapt_weights(draft, candidates), merge_columns(candidates)
        first, equal = sum_weighted(columns, weights.paragraph), np.zeros(len(candidates))
        read = candidates.read_all()
        texts, tokens = [paragraph.text for paragraph, _ in read], [pieces for _, pieces in read]
        lengths = np.array([len(pieces) for pieces in tokens])

        def choose_best(estimates: NDArray[np.float64]) -> list[int]:
            scores = fuse_late(ESTIMATE_SHARE * estimates, equal, first, weights)
            return take_best(scores, lengths, limit)

        placings = [candidates.placings.get(row) for row in range(len(candidates))]
        try:
            task = self._runner, query, texts, tokens, placings
            limits: dict[str, Any] = {
                "batch_tokens": self._batch_tokens,
                "timeout_s": RANK_SHARE * get_left_s(),
            }
            if self._early and len(take_best(first, lengths, limit)) < len(candidates):
                return judge_best(*task, choose_best, **limits)
            return judge(*task, **limits)
        except TaskError as error:
            retrieved.stages.skip("rank", error)
            return None

    def _adapt_weights(self, draft: Draft, candidates: Candidates) -> FusionWeights:
        """Return the weights with which the scores of the candidates are added up for this draft.

        Short queries, drafts that are not in English and questions about a person's view have weights of
        their own.
        """
        weights = self._weights
        if has_words(candidates):
            weights = weights.adapt_to_queries()
        elif not is_english(draft):
            weights = weights.adapt_to_names()
        return weights.adapt_to_speaker() if self._asks_view else weights

    def _prepare(
        self,
        ranked: tuple[Recommendation, ...],
        limit: int,
        stages: Stages,
        asked_words: Sequence[str],
    ) -> tuple[Recommendation, ...]:
        """Return the best `limit` recommendations, with spans (the words worth quoting) that are fit for
        print.

        Recommendations whose words can be printed as marked come before others (see `print_order`). If the
        draft asks for certain words, `asked_words`, the order stays unchanged.
        """
        preparer = Preparer(self._store, stages, asked_words)
        return prepare_best(ranked, preparer.prepare, limit, is_ordered=bool(asked_words))

    def _merge(
        self, draft: Draft, retrieved: _Retrieved, judged: RankerResults | None, limit: int
    ) -> tuple[Recommendation, ...]:
        weights = self._adapt_weights(draft, retrieved.candidates)
        scored = add_scores(retrieved.candidates, judged, weights)
        if not len(scored):
            return ()
        by = scored.columns["first_stage" if judged is None else "final"]
        order = np.argsort(-by, kind="stable")[: min(limit, np.isfinite(by).sum())].tolist()
        return tuple(
            Recommendation(
                rank,
                candidate.paragraph,
                get_info(retrieved.infos, candidate.paragraph.document_id),
                () if judged is None else (_mark_span(draft, candidate, judged.spans[row]),),
                candidate.scores,
            )
            for rank, (row, candidate) in enumerate(zip(order, scored.take(order), strict=True), 1)
        )


def _mark_span(draft: Draft, candidate: Candidate, span: Span) -> Span:
    """Move the span of a candidate to the words that the draft asks for or already begins; return the span.

    If the candidate's paragraph does not have such words, return `span` unchanged.
    """
    if is_query(draft):
        exact = candidate.scores.get("exact")
        is_asked = exact is not None and exact >= SOUGHT
    else:
        opened = list_opened(draft.left)
        is_opened = len(opened) >= LEAST_OPENED and has_run(split_words(candidate.paragraph.text), opened)
        is_asked = is_opened or bool(find_remembered(draft)) or bool(read_line(draft))
    text = candidate.paragraph.text
    asked_words = (_read_asked_words(draft) or read_forms(read_line(draft))) if is_asked else []
    if asked_words or is_query(draft):
        return mark_asked(asked_words, text, span) if asked_words else span
    continued = read_continued(draft.left, text)
    return mark_continued(continued, text, span) if continued else span


def _read_asked_words(draft: Draft) -> list[str]:
    """Return the words that the quotes for a draft should contain; an empty list if there are none.

    If the draft is a short query, they are its words. If it ends inside a quotation (`He said: "They do`),
    they are the words of this quotation. If it asks for the exact wording or the speaker of some words, they
    are these words (see `find_remembered`).
    """
    if is_query(draft):
        return read_forms(f"{draft.title} {draft.left}")
    opened = list_opened(draft.left)
    return read_forms(" ".join(opened) if len(opened) >= LEAST_OPENED else find_remembered(draft))


def _read_line_words(draft: Draft, recommendations: Sequence[Recommendation]) -> list[str]:
    """Return the words of a draft that seem to come from the first recommendation; empty if there are none.

    The whole draft may be words of a speech, typed from memory (see `read_line`). If so, and if the
    recommendation has most of these words, return all of them. Otherwise, return the last words of the
    draft's unfinished sentence, if the recommendation has them, too (see `read_continued`). For a short
    query, return an empty list.
    """
    if is_query(draft) or not recommendations:
        return []
    line, text = read_line(draft), recommendations[0].paragraph.text
    asked_words = read_forms(line) if line else []
    return asked_words if line and has_line(asked_words, text) else read_continued(draft.left, text)


def _name_engines(encoded: EncodedDraft, judged: RankerResults | None) -> str | None:
    """Return the distinct names of the engines that computed an answer, joined by commas."""
    engines = {*(judged.engines if judged else ()), *([encoded.engine] if encoded.engine else ())}
    return ", ".join(sorted(engines)) or None


def take_best(scores: NDArray[np.float64], lengths: NDArray[np.int64], limit: int) -> list[int]:
    """Choose the candidates to run through all layers of the ranker: return their rows, best first.

    `scores` are estimates of the first layers. `lengths` are the candidates' numbers of WordPieces.

    At least `limit` rows are chosen, or `FEWEST_RANKED` if that is more. Then further rows are added, up to
    `RANKED` in all, while the total of WordPieces is at most `RANKED_TOKENS`.
    """
    order = np.argsort(-scores, kind="stable")[: max(limit, RANKED)]
    within = int(np.searchsorted(np.cumsum(lengths[order]), RANKED_TOKENS, "right"))
    best: list[int] = order[: max(limit, FEWEST_RANKED, within)].tolist()
    return best


def add_scores(candidates: Candidates, judged: RankerResults | None, weights: FusionWeights) -> Candidates:
    """Return the candidates with further columns of scores: `model`, `span`, `final`, and those of `LEADS`.

    `model` and `span` are the ranker's scores of the paragraph and of its best span; `final` combines them
    with the scores of the signals (see `fuse`). Candidates that were not ranked have NaN in these three. The
    columns of `LEADS` compare the candidate's speech with the best other speech (see `measure_lead`).
    """
    leads = {
        lead: measure_lead(candidates.columns[name], candidates.owners)
        for lead, name in LEADS.items()
        if name in candidates.columns
    }
    candidates = candidates.add_columns(leads)
    if judged is None:
        missing = np.full(len(candidates), np.nan)
        return candidates.add_columns({"model": missing, "span": missing, "final": missing})
    columns = {"model": judged.model, "span": judged.span, "final": fuse(candidates, judged, weights)}
    ranked = {name: np.where(judged.is_ranked, scores, np.nan) for name, scores in columns.items()}
    return candidates.add_columns(ranked)


LEADS = {f"{name}_lead": name for name in ("first_stage", "lexical", "document")}
"""Columns that say how far a speech stands out from the others, and the columns that they are made of."""


def measure_lead(scores: NDArray[np.float64], owners: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each candidate the score of its speech minus that of the best other speech, float64 (n,).

    The score of a speech is that of its best candidate. `scores` has the candidates' scores; a missing one
    (NaN) counts as 0. `owners` has the number of each candidate's speech. If all candidates are from one
    speech, the result is NaN. In the example, the score of speech 1 is 3.0, and that of speech 0 is 0.5.

    >>> measure_lead(np.array([3.0, 2.0, 0.5]), np.array([1, 1, 0])).tolist()
    [2.5, 2.5, -2.5]
    """
    if not len(owners):
        return np.zeros(0)
    best = np.full(owners.max() + 1, -np.inf)
    np.maximum.at(best, owners, np.nan_to_num(scores))
    first = int(np.argmax(best))
    second = float(np.max(np.delete(best, first), initial=-np.inf))
    rivals = np.where(owners == first, second, best[first])
    return np.where(np.isfinite(rivals), best[owners] - rivals, np.nan)


def fuse(candidates: Candidates, judged: RankerResults, weights: FusionWeights) -> NDArray[np.float64]:
    """Return the final score of each candidate, float64 (n,).

    It combines the ranker's scores of the paragraph and of its best span with the scores of the signals.
    """
    columns = merge_columns(candidates)
    return fuse_late(judged.model, judged.span, sum_weighted(columns, weights.paragraph), weights)


def prepare_draft(
    draft: Draft, store: ParagraphStore, vocabulary: Callable[[], Collection[str]]
) -> tuple[Draft, list[str]]:
    """Return a draft in the form by which the archive is searched, and a list of remarks.

    Headers of an e-mail are left out, and a question becomes a query for the words it looks for. Misspelt
    words are corrected if the draft is in English. The remarks are on these corrections.

    Raises:
        StoreError: the archive cannot be searched.
    """
    read = take_question(take_headers(draft))
    return correct_draft(read, store, vocabulary()) if is_english(read) else (read, [])


def check_draft(draft: Draft) -> None:
    """Raise `BadInput` if a draft is empty or its day is invalid."""
    if not (draft.title + draft.left).strip():
        raise BadInput("the draft is empty: give a title or the text before the quote", field="left")
    if draft.written_on is not None:
        count_day(draft.written_on, "written_on")


def _check(draft: Draft, limit: int, candidates: int) -> None:
    check_draft(draft)
    for name, value in (("limit", limit), ("candidates", candidates)):
        if value < 1:
            raise BadInput(f"{name} must be at least 1, not {value}", field=name)
