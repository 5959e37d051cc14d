"""The fit finds the weights that rank what was quoted first."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.fit import (
    filter_thirty_days,
    filter_until_publication,
    fit_candidates,
    fit_documents,
    fit_within,
    list_filters,
    make_ranked_row,
    make_searched_row,
)
from evaluation.pairs import Pair, QuotedPart
from evaluation.score_table import Row, ScoreTable
from reranker.fusion import FusionWeights
from reranker.signals import MERGED, STAGES
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Filter, Paragraph

NO_SCORE = dict.fromkeys(STAGES)
NOTHING = np.zeros(4)
PAIR = Pair("p", "T", "L", "2017-03-01T09:00:00Z", "d", (QuotedPart(1, 0, 5),), False)


def row(relevant: int, model=NOTHING, span=NOTHING, **parts) -> Row:
    known = dict.fromkeys((*STAGES, "length"), NOTHING) | {k: np.array(v) for k, v in parts.items()}
    return Row(known, np.array(model, float), np.array(span, float), frozenset({relevant}))


def test_within_speeches_the_fit_follows_the_signal_that_tells_and_leaves_out_what_misleads():
    rows = [
        row(
            i,
            model=[20.0 * (j == (i + 1) % 4) for j in range(4)],  # always another one
            lexical=[1.0 * (j == 0) for j in range(4)],  # always the first
            dense=[3.0 * (j == i) for j in range(4)],  # what was quoted
        )
        for i in range(4)
    ]
    weights = fit_within(rows)
    assert 20 * weights.model < 3 * weights.paragraph["dense"]
    assert 3 * weights.within["dense"] > weights.within["lexical"]
    table = ScoreTable(rows)
    assert table.compute_mean_ap(table.fuse(weights)) == 1.0
    assert set(weights.within) == set(STAGES)
    assert set(weights.paragraph) == set(MERGED)


def test_over_an_archive_the_weights_lift_what_was_quoted_among_the_first_hundred():
    def crowded(quoted: int) -> Row:
        count = 150
        words = np.arange(count, 0, -1.0)  # BM25 has the quoted one near the end
        source = np.zeros(count)
        source[quoted] = 500.0
        parts = {name: np.zeros(count) for name in STAGES} | {"lexical": words, "document": source}
        return Row(parts, np.zeros(count), np.zeros(count), frozenset({quoted}))

    rows = [crowded(120), crowded(140)]
    table = ScoreTable(rows)
    assert table.recall(table.sum_parts({"lexical": 1.0}), 100) == 0.0
    weights = fit_candidates(rows)
    assert table.recall(table.sum_parts(weights), 10) == 1.0
    assert weights["lexical"] == 1.0


def test_recency_is_fitted_on_top_of_weights_that_serve_drafts_without_a_day():
    count = 12
    words = np.arange(count, 0, -1.0)  # BM25 has the quoted one last
    age = np.where(np.arange(count) == count - 1, 0.0, -7.0)  # which alone is new
    parts = {name: np.zeros(count) for name in STAGES} | {"lexical": words}
    rows = [Row(parts | {"recency": age}, np.zeros(count), np.zeros(count), frozenset({count - 1}))]
    weights = fit_candidates(rows)
    assert 7 * weights["recency"] + 1 > words[9]  # among the first ten
    assert {**weights, "recency": 0.0} == fit_candidates([replace(rows[0], parts=parts)])


@pytest.fixture
def fitted():
    flat = dict.fromkeys(STAGES, 0.0)
    return FusionWeights(flat, flat, {**dict.fromkeys(MERGED, 0.0), "lexical": 1.0}, 0.0, 0.0, 1.0)


def test_what_is_said_of_documents_is_fitted_where_something_quoted_was_found(fitted):
    found = row(3, lexical=[3.0, 2.0, 1.0, 0.0], document=[0.0, 0.0, 0.0, 2.0])
    weights = fit_documents([found], fitted)
    assert weights["document"] >= 1.5  # 2 * weight > 3
    assert weights["lexical"] == 1.0


def test_how_recent_a_speech_is_joins_the_merged_answer_as_the_log_prior_that_it_is(fitted):
    found = row(3, lexical=[3.0, 2.0, 1.0, 0.0], recency=[-12.0, -12.0, -12.0, 0.0])
    weights = fit_documents([found], fitted)
    assert weights["recency"] == 0.3  # the least of the grid with 12 * weight > 3
    assert weights["document"] == 0.0


def test_how_recent_a_speech_is_weighs_less_where_the_words_have_been_read(fitted):
    found = row(3, lexical=[3.0, 2.0, 1.0, 0.0], recency=[-4.0, -4.0, -4.0, 0.0])
    assert fit_documents([found], fitted)["recency"] <= 0.3  # with 0.8 it would be first
    assert fit_candidates([found])["recency"] <= 1.0


def test_weights_of_documents_stay_where_nothing_quoted_was_found(fitted):
    missed = Row(row(0).parts, NOTHING, NOTHING, frozenset())
    assert fit_documents([missed], fitted) == dict(fitted.paragraph)


def test_weights_are_fitted_on_the_speeches_that_there_were_by_then():
    assert list_filters(PAIR, "2017-03-03") == [Filter(until="2017-03-03"), filter_thirty_days(PAIR)]
    assert list_filters(replace(PAIR, published=""), "2017-03-01") == [Filter()]


@pytest.mark.parametrize("spoken_on", [None, "2017-03-04"])
def test_a_speech_that_no_filter_by_day_lets_pass_is_looked_for_among_all(spoken_on):
    assert list_filters(PAIR, spoken_on) == [Filter()]


def test_filters_stay_within_the_calendar():
    first, last = replace(PAIR, published="0001-01-01"), replace(PAIR, published="9999-12-31")
    assert filter_thirty_days(first) == Filter(since="0001-01-01", until="0001-01-01")
    assert filter_until_publication(last) == Filter(until="9999-12-31")


def test_thirty_days_end_on_the_day_of_publication():
    assert filter_thirty_days(PAIR) == Filter(since="2017-01-30", until="2017-03-01")


def test_a_copy_of_what_is_quoted_counts_and_takes_one_place(models):
    said = ["We choose to go to the moon.", "We choose  to go to the moon.", "Thank you."]
    tokens = models.wordpieces.tokenise(said)
    found = [
        Candidate(
            Paragraph(name, name, 1, text, 0, len(text)), each, dict.fromkeys(STAGES) | {"lexical": score}
        )
        for name, text, each, score in zip("cdb", said, tokens, (3.0, 2.0, 1.0), strict=True)
    ]
    found = make_columns(found)
    assert make_searched_row(PAIR, found).relevant == {1, 2}  # that of d is what was quoted, c has a copy
    ranked = make_ranked_row(PAIR, found, models, {**dict.fromkeys(STAGES, 0.0), "lexical": 1.0})
    assert len(ranked.model) == 2
    assert ranked.relevant == {1}
