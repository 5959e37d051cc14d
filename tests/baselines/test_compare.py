"""Figures of runs, worked out by hand."""

import numpy as np
import pytest

pytest.importorskip("ir_measures")

from benchmarks.baselines.compare import (
    average_seeds,
    compute_figures,
    compute_ranking_figures,
    compute_span_figures,
    make_table,
    read_runs,
    summarise,
)
from benchmarks.baselines.runs import RunRow, Split, run_path, write
from evaluation.pairs import Pair, QuotedPart
from quotations.text.transcript import Transcript
from rostrum_core.types import Span

TEXTS = ("We the people. Hear!", "Of the United States.", "In order to form.")
DOCUMENTS = {"d": Transcript("d", "T", None, None, None, TEXTS)}


def row(scores, *parts):
    pair = Pair("p", "T", "L", "", "d", parts, False)
    return RunRow(pair, np.array(scores, np.float64), (Span(0, 6, 0.0), Span(3, 20, 0.0), Span(0, 8, 0.0)))


def test_a_rank_of_two_is_half_precise_and_among_the_first_three():
    found = compute_ranking_figures([row([2.0, 1.0, 0.0], QuotedPart(1, 3, 20))])
    assert {name: values.tolist() for name, values in found.items()} == {
        "map": [0.5], "mrr": [0.5], "acc@1": [0.0], "acc@3": [1.0], "acc@5": [1.0]
    }  # fmt: skip


def test_spans_are_cut_from_quoted_and_from_top_paragraphs_and_joined():
    # Quoted: "the people." and "Of the United" of paragraphs 0 and 1, both ranked on top, the cuts "We the"
    # and "the United States": shared the, the, united; 2 * 3 / (5 + 5).
    part = Split("test", [], DOCUMENTS)
    found = compute_span_figures([row([1.0, 5.0, 0.0], QuotedPart(0, 3, 14), QuotedPart(1, 0, 13))], part)
    assert [found[name][0] for name in ("em positive", "f1 positive", "f1 top")] == [0.0, 0.6, 0.6]
    # Quoted: the cut of paragraph 1. The top one is 0, of which "We the" shares "the": 2 * 1 / (2 + 3).
    found = compute_span_figures([row([5.0, 1.0, 0.0], QuotedPart(1, 3, 20))], part)
    assert [found[name][0] for name in ("em positive", "f1 positive", "em top", "f1 top")] == [1, 1, 0, 0.4]


def test_a_system_of_two_seeds_has_their_mean_and_spread_and_is_tested_row_by_row():
    # Means of the seeds 50 % and 100 %: 75 %, standard deviation of two values |a - b| / sqrt 2 = 35.36.
    seeds = {7: {"map": np.array([0.0, 1.0])}, 8: {"map": np.array([1.0, 1.0])}}
    found = make_table({"a": seeds, "b": {None: {"map": np.array([0.5, 1.0])}}}, ["map"], ["b"], ["d", "e"])
    assert found["a"]["map"] == 75.0
    assert found["a"]["spread"] == {"map": 35.36}
    assert (found["a"]["seeds"], found["b"]["seeds"]) == ([7, 8], [])
    assert average_seeds(list(seeds.values()))["map"].tolist() == [0.5, 1.0]
    assert found["a"]["p_values"] == {"map": {"b": 1.0}}
    assert found["b"]["p_values"] == {"map": {}}


def test_runs_are_found_by_system_and_seed(test_split, tmp_path):
    rows = [RunRow(pair, np.zeros(3)) for pair in test_split.pairs]
    for system, seed in (("tf-idf", None), ("k-nrm", 7), ("k-nrm", 8)):
        write(run_path(tmp_path, "test", system, seed), rows)
    found = read_runs(tmp_path, test_split)
    assert {system: list(seeds) for system, seeds in found.items()} == {"k-nrm": [7, 8], "tf-idf": [None]}


def test_systems_that_cut_are_tested_against_the_product_and_the_whole_paragraph():
    # Quoted: all of paragraph 0, which the product ranks first but cuts short.
    product, lexical = row([5.0, 1.0, 0.0], QuotedPart(0, 0, 20)), row([0.0, 1.0, 0.0], QuotedPart(0, 0, 20))
    runs = {"model": {None: [product]}, "bm25": {None: [RunRow(lexical.pair, lexical.scores)]}}
    part = Split("test", [product.pair], DOCUMENTS)
    found = summarise(part, compute_figures(runs, part))
    assert set(found["ranking"]) == {"model", "bm25"}
    assert found["spans"]["full paragraph"]["em top"] == 100.0
    assert found["spans"]["model"]["em top"] == 0.0
    assert set(found["spans"]["model"]["p_values"]["f1 top"]) == {"full paragraph"}
