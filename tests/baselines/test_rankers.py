"""The benchmark of speed asks all systems the same, in turns."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxscript")

from benchmarks.rankers import ONE, OURS, TWO, layers_of, measured, requests


def test_a_request_is_a_draft_with_as_many_candidates_and_their_word_pieces(data, models):
    (asked,) = requests(data, 1, 4, seed=1, pieces=models.wordpieces)
    assert asked.draft.title.startswith("A speech of ")
    assert len(asked.texts) == len(set(asked.texts)) == len(asked.tokens) == 4


def test_each_system_has_its_turn_for_every_request(data, models):
    asked, heard = requests(data, 2, 3, seed=1, pieces=models.wordpieces), []
    systems = {name: lambda _, name=name: heard.append(name) for name in (OURS, ONE, TWO)}
    found = measured(systems, asked, rounds=2)
    assert heard[3:] == [OURS, ONE, TWO] * 4  # after one turn to warm up
    assert found[OURS]["ratio"] == 1.0
    assert set(found[TWO]) == {"p50_ms", "least_ms", "ratio"}


def test_the_layers_counted_are_those_the_ranker_was_trained_with(models):
    assert layers_of(models.manifest.folder) == models.manifest.told["recipe"]["ranker"]["layers"]
