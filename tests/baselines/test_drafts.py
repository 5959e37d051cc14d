"""Figures of drafts that are kept are those that were measured, and of these drafts alone."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.baselines.compare import summarise
from benchmarks.baselines.drafts import check_kept, keep, read_kept
from benchmarks.baselines.runs import Split
from rostrum_core.errors import BadInput

NAMES = ("map", "mrr", "acc@1", "acc@3", "acc@5", "em positive", "em top", "f1 positive", "f1 top")


def figures(part, value):
    return {name: np.full(len(part.pairs), value) for name in NAMES}


def test_figures_come_back_by_system_and_seed_with_what_they_were_made_of(test_split, tmp_path):
    systems = {"k-nrm": {7: figures(test_split, 1 / 3), 8: figures(test_split, 1.0)}}
    keep(tmp_path, test_split, systems, {"commit": "abc"})
    keep(tmp_path, test_split, {"bm25": {None: {"map": np.zeros(len(test_split.pairs))}}}, {})
    found = read_kept(tmp_path, test_split)
    assert {system: list(seeds) for system, seeds in found.items()} == {"bm25": [None], "k-nrm": [7, 8]}
    assert found["k-nrm"][7]["map"] == pytest.approx([1 / 3] * len(test_split.pairs), abs=1e-5)
    (path,) = tmp_path.glob("*/k-nrm@7.json")
    assert '"commit": "abc"' in path.read_text("utf-8")


def test_seeds_that_were_kept_at_other_times_have_a_spread(test_split, tmp_path):
    for seed, value in ((7, 0.25), (8, 0.75)):
        keep(tmp_path, test_split, {"model": {seed: figures(test_split, value)}}, {})
    for system in ("bm25", "full paragraph"):
        keep(tmp_path, test_split, {system: {None: figures(test_split, 0.5)}}, {})
    found = summarise(test_split, read_kept(tmp_path, test_split))
    assert (found["ranking"]["model"]["map"], found["ranking"]["model"]["seeds"]) == (50.0, [7, 8])
    assert found["spans"]["model"]["spread"]["f1 top"] == 35.36  # of 25 and 75 percent


def test_a_comparison_of_what_is_kept_needs_that_of_the_models_that_it_names(test_split, tmp_path):
    first, second = {"name": "rostrum-1"}, {"name": "rostrum-2"}
    keep(tmp_path, test_split, {"model": {7: figures(test_split, 0.5)}}, {"models": first})
    check_kept(tmp_path, test_split, "model", first)
    with pytest.raises(BadInput, match="no figures of model by rostrum-2"):
        check_kept(tmp_path, test_split, "model", second)


def test_figures_of_other_drafts_are_refused(test_split, tmp_path):
    keep(tmp_path, test_split, {"bm25": {None: figures(test_split, 1.0)}}, {})
    backwards = Split(test_split.name, test_split.pairs[::-1], test_split.documents)
    with pytest.raises(BadInput, match="of other drafts than these"):
        read_kept(tmp_path, backwards)
    first, *rest = test_split.pairs
    transcript = test_split.documents[first.document]
    corrected = {first.document: replace(transcript, paragraphs=(*transcript.paragraphs, "A further one."))}
    for others in (
        Split(test_split.name, [replace(first, title="Another title"), *rest], test_split.documents),
        Split(test_split.name, [replace(first, right="Another end"), *rest], test_split.documents),
        Split(test_split.name, test_split.pairs, {**test_split.documents, **corrected}),
    ):
        with pytest.raises(BadInput, match="of other drafts than these"):
            read_kept(tmp_path, others)
    fewer = Split(test_split.name, test_split.pairs[1:], test_split.documents)
    assert read_kept(tmp_path, fewer) == {}


def test_a_system_has_seeds_or_none(test_split, tmp_path):
    keep(tmp_path, test_split, {"model": {None: figures(test_split, 1.0), 7: figures(test_split, 0.0)}}, {})
    with pytest.raises(BadInput, match="figures of model with a seed and without"):
        read_kept(tmp_path, test_split)


@pytest.mark.parametrize("text", ["", "[]", '{"figures": {}}'])
def test_a_file_that_holds_no_figures_is_named(test_split, tmp_path, text):
    keep(tmp_path, test_split, {"bm25": {None: figures(test_split, 1.0)}}, {})
    (path,) = tmp_path.glob("*/bm25.json")
    path.write_text(text, "utf-8")
    with pytest.raises(BadInput, match=r"bm25\.json cannot be read"):
        read_kept(tmp_path, test_split)
