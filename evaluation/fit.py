"""Fit the weights of the fusion (the weighted sum that ranks paragraphs) on dev, one weight at a time over a
grid, until no change improves the result.

Two sets of rows are used. In the first, all paragraphs of the quoted transcript compete. This set is used to
fit the weights of the first stages (such as BM25 and the encoder) and the ranker, and the exponents of late
fusion. In the second, paragraphs of the whole archive compete. This set is used to fit the weights for
selecting candidates, and the weights of document scores, such as recency, in the final ranking.

For each draft, only speeches up to the draft's day are searched. Otherwise, recency would rank later speeches
last, and would look too good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from evaluation.judging import JudgedRow
from evaluation.pairs import Pair
from evaluation.score_table import Floats, Row, ScoreTable, Weights
from evaluation.systems import list_merged_scores
from jobs.recommend.candidates import EncodedDraft, choose, merge_columns, normalise_wording, search
from reranker.fusion import FusionWeights, standardise
from reranker.models.loaded import Models
from reranker.signals import DEFAULTS, MERGED, STAGES
from reranker.signals.recency import DAYS_LATE
from rostrum_core.candidates import Candidates
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Filter, Paragraph

WEIGHT = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # of a z-score or a log
MODEL = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0)  # of a logit, where dense weighs 1
EXPONENT = tuple(x / 2 for x in range(21))  # the paper's grid: 0, 0.5 .. 10
OF_DOCUMENTS = ("document", "quoted", "named")
RECENCY = "recency"
AGE = tuple(weight for weight in WEIGHT if weight <= 1)
"""Grid of the recency weight.

With 1, each tenfold of age is equally likely; dev, aligned within 30 days, would prefer more.
"""

MERGED_AGE = tuple(weight for weight in AGE if weight <= 0.3)
"""Grid of the recency weight in the merged answer. It is smaller, because the ranker has read the words.

With 0.4, a speech of 1965 falls below one of yesterday.
"""

ENOUGH = 0.9  # of the gain: recency hides old speeches, so take the least weight that suffices
RANKED_CANDIDATES = 100


def make_row(judged: JudgedRow, paragraphs: Sequence[str]) -> Row:
    """Build a row from which fusion weights are fitted: the scores of all paragraphs of the quoted speech.

    `judged` has what the models say of these paragraphs for one draft, and `paragraphs` has their texts.
    """
    parts = list_merged_scores(judged, paragraphs)
    standard = {name: standardise(name, scores) for name, scores in parts.items()}
    return Row(standard, judged.model, judged.span, frozenset(judged.relevant))


def climb_grids(
    start: Weights, grids: Mapping[str, Sequence[float]], value: Callable[[Weights], float]
) -> dict[str, float]:
    """Improve one weight at a time, trying every value of its grid, until no change raises `value`.

    Weights without a grid stay unchanged.

    >>> climb_grids({"a": 0.0, "b": 0.0}, {"a": (0.0, 1.0, 2.0)}, lambda w: -abs(w["a"] - 1))
    {'a': 1.0, 'b': 0.0}
    """
    best, height = dict(start), value(start)
    before = -np.inf
    while height > before:
        before = height
        for name, grid in grids.items():
            for step in grid:
                tried = {**best, name: step}
                value_found = value(tried)
                if value_found > height:
                    best, height = tried, value_found
    return best


def fit_within(rows: Sequence[Row]) -> FusionWeights:
    """Fit weights on rows in which the paragraphs of one transcript compete, as in the paper's evaluation.

    Document scores are equal for all paragraphs of a transcript, so they have no effect, and their weights
    stay 0.
    """
    table = ScoreTable(rows)
    first = climb_grids(
        {"lexical": 1.0, "dense": 0.5, "follows": 0.0, "around": 0.0},
        {"dense": WEIGHT, "follows": WEIGHT, "around": WEIGHT},
        lambda w: table.compute_mean_ap(table.sum_parts(w)),
    )
    merged = climb_grids(
        {"model": 0.2, "lexical": 0.5, "dense": 1.0, "follows": 0.0, "around": 0.0, "length": 0.0},
        {"model": MODEL, "lexical": WEIGHT, "follows": WEIGHT, "around": WEIGHT, "length": WEIGHT},
        lambda w: table.compute_mean_ap(w["model"] * table.model + table.sum_parts(w)),
    )
    model = merged.pop("model")
    weights = FusionWeights(
        {}, _restrict_weights(STAGES, first), _restrict_weights(MERGED, merged), model, 0.0, 1.0
    )

    def build_weights(w: Weights) -> FusionWeights:
        return replace(weights, alpha=w["alpha"], beta=w["beta"])

    exponents = climb_grids(
        {"alpha": 0.0, "beta": 1.0},
        {"alpha": EXPONENT, "beta": EXPONENT[1:]},
        lambda w: table.compute_mean_ap(table.fuse(build_weights(w))),
    )
    return build_weights(exponents)


def _restrict_weights(stages: Sequence[str], weights: Weights) -> dict[str, float]:
    return {stage: {**DEFAULTS, **weights}.get(stage, 0.0) for stage in stages}


def filter_thirty_days(pair: Pair) -> Filter:
    """Return a filter for speeches of the 30 days up to the draft's publication."""
    return Filter(since=_shift_publication(pair, -30), until=_shift_publication(pair))


def filter_until_publication(pair: Pair) -> Filter:
    """Return a filter for speeches up to the day of the draft's publication, plus `DAYS_LATE` days.

    The days are added because the release of a speech may be dated a day or two after the quoting article.
    """
    return Filter(until=_shift_publication(pair, DAYS_LATE))


def _shift_publication(pair: Pair, later_days: int = 0) -> str:
    """Return the day of a draft's publication, shifted by `later_days`, within the calendar's range."""
    ordinal = date.fromisoformat(pair.published[:10]).toordinal() + later_days
    return str(date.fromordinal(min(max(ordinal, date.min.toordinal()), date.max.toordinal())))


def list_filters(pair: Pair, spoken_on: str | None) -> list[Filter]:
    """Return two filters for fitting: speeches up to the draft's day, and those of the 30 days before it.

    `spoken_on` is the day of the quoted speech. If one of the days is unknown, or if the speech is too late
    for the filters, return a single filter instead, which selects all speeches.
    """
    if not pair.published or spoken_on is None or spoken_on > (filter_until_publication(pair).until or ""):
        return [Filter()]
    return [filter_until_publication(pair), filter_thirty_days(pair)]


def search_candidates(pair: Pair, store: ParagraphStore, models: Models, filter: Filter) -> Candidates:
    """Run the first stage (the search before the ranker) for a draft, as the product does; return the
    candidates.
    """
    query = models.wordpieces.tokenise_query(pair.title, pair.left)
    pieces = models.wordpieces.tokenise_draft(pair.title, pair.left, pair.right)
    return search(store, pair.draft, EncodedDraft(query, pieces, models.encoder.encode_query(query)), filter)


def is_quoted(paragraph: Paragraph, pair: Pair) -> bool:
    """Return whether the quotation of `pair` was taken from this paragraph, at least in part."""
    return paragraph.document_id == pair.document and any(
        paragraph.ordinal == part.ordinal for part in pair.parts
    )


def make_searched_row(pair: Pair, candidates: Candidates) -> Row:
    """Build a row for the fit from the candidates that a draft's search found.

    It has the first-stage scores of the candidates. The scores of the ranker, which did not run, are 0.
    """
    nothing, paragraphs = np.zeros(len(candidates)), _list_paragraphs(candidates)
    columns = {name: candidates.columns[name] for name in STAGES}
    return Row(
        _standardise(columns), nothing, nothing, _find_copies(_find_quoted(pair, paragraphs), paragraphs)
    )


def _list_paragraphs(candidates: Candidates) -> list[Paragraph]:
    return [paragraph for paragraph, _ in candidates.read(range(len(candidates)))] if len(candidates) else []


def _standardise(columns: Mapping[str, Floats]) -> dict[str, Floats]:
    return {name: standardise(name, scores) for name, scores in columns.items()}


def make_ranked_row(pair: Pair, candidates: Candidates, models: Models, weights: Weights) -> Row:
    """Build the row of a draft to which the fusion weights are fitted.

    The row has the scores of the 100 best candidates by all signals and by the ranker. If several candidates
    have the same text, only the best one is kept.
    """
    best = choose(candidates, weights, RANKED_CANDIDATES, distinct=True)
    query = models.wordpieces.tokenise_query(pair.title, pair.left)
    whole = best.take(range(len(best)))
    ranked = models.ranker.rank(
        query, [c.paragraph.text for c in whole], [c.tokens for c in whole], [c.placing for c in whole]
    )
    model, span = (
        np.array(scores, np.float64)
        for scores in zip(*((r.score, r.span.score) for r in ranked), strict=True)
    )
    quoted = _find_quoted(pair, _list_paragraphs(candidates))
    return Row(_standardise(merge_columns(best)), model, span, _find_copies(quoted, _list_paragraphs(best)))


def _find_quoted(pair: Pair, paragraphs: Sequence[Paragraph]) -> set[str]:
    return {normalise_wording(paragraph) for paragraph in paragraphs if is_quoted(paragraph, pair)}


def _find_copies(quoted: set[str], paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """Return the indices of the paragraphs, in any document, with the same text as a quoted paragraph."""
    return frozenset(i for i, paragraph in enumerate(paragraphs) if normalise_wording(paragraph) in quoted)


def fit_candidates(rows: Sequence[Row]) -> dict[str, float]:
    """Fit the weights that select candidates for the ranker: maximise the mean of recall@10 and recall@100.

    The weight of BM25 is fixed at 1. The weight of recency is fitted last, after all other weights, because
    drafts without a day use only the other weights.
    """
    table = ScoreTable(rows)

    def compute_value(tried: Weights) -> float:
        scores = table.sum_parts(tried)
        return table.recall(scores, 10) + table.recall(scores, 100)

    begun = {
        "lexical": 1.0,
        "dense": 1.0,
        "document": 1.0,
        "quoted": 0.5,
        "follows": 0.5,
        "around": 0.0,
        "named": 0.0,
    }
    undated = climb_grids(begun, {stage: WEIGHT for stage in begun if stage != "lexical"}, compute_value)
    undated |= {**DEFAULTS, "exact": 0.0}  # the words of short queries, and what few drafts have
    return {
        **undated,
        RECENCY: find_least_weight(AGE, lambda weight: compute_value({**undated, RECENCY: weight})),
    }


def fit_documents(rows: Sequence[Row], weights: FusionWeights) -> dict[str, float]:
    """Fit the weights of document scores in the final ranking so that mAP over the candidates is highest.

    A document score is the same for all paragraphs of a document. The weight of recency, the score of newer
    documents, is fitted last. If no row has a quoted paragraph among its candidates, the weights are returned
    unchanged.
    """
    rows = [row for row in rows if row.relevant]
    if not rows:
        return dict(weights.paragraph)
    table = ScoreTable(rows)

    def compute_value(tried: Weights) -> float:
        return table.compute_mean_ap(table.fuse(replace(weights, paragraph=tried)))

    undated = climb_grids(weights.paragraph, dict.fromkeys(OF_DOCUMENTS, WEIGHT), compute_value)
    return {
        **undated,
        RECENCY: find_least_weight(MERGED_AGE, lambda weight: compute_value({**undated, RECENCY: weight})),
    }


def find_least_weight(grid: Sequence[float], value: Callable[[float], float]) -> float:
    """Return the smallest weight in `grid` whose gain is at least `ENOUGH` times the best gain in `grid`.

    The weight is that of recency, the signal that ranks newer speeches higher. The function `value` rates a
    weight; the gain of a weight is the difference from the value of weight 0.

    >>> find_least_weight(AGE, lambda weight: min(weight, 0.5))
    0.5
    >>> find_least_weight(AGE, lambda weight: -weight)
    0.0
    """
    gains = [value(weight) - value(0.0) for weight in grid]
    return next(weight for weight, gain in zip(grid, gains, strict=True) if gain >= ENOUGH * max(gains))


def fit_archive(
    rows: Sequence[Pair], store: ParagraphStore, models: Models, weights: FusionWeights, ranked_rows: int
) -> FusionWeights:
    """Fit two kinds of weights on searches of a whole archive; return a copy of `weights` with the new ones.

    The first kind is used to select candidates. The second kind weighs document scores in the final ranking;
    it is fitted on the first `ranked_rows` rows only.
    """
    spoken_on = {document.id: document.spoken_on for document in store.documents()}

    def build_filters(pair: Pair) -> list[Filter]:
        return list_filters(pair, spoken_on.get(pair.document))

    searched = [
        make_searched_row(pair, search_candidates(pair, store, models, filter))
        for pair in rows
        for filter in build_filters(pair)
    ]
    weights = replace(weights, candidates=fit_candidates(searched))
    undated = {**weights.candidates, RECENCY: 0.0}
    ranked = [
        make_ranked_row(pair, search_candidates(pair, store, models, build_filters(pair)[0]), models, undated)
        for pair in rows[:ranked_rows]
    ]
    return replace(weights, paragraph=fit_documents(ranked, weights))
