"""Choices of a training, tried on a tiny BERT: what is compared is what was trained and judged."""

import json
import sys
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from benchmarks import training_choices
from benchmarks.training_choices import ENCODER, RANKER, compared
from tests.training.tiny import LAYERS, write_base

SMALL_ENCODER = replace(ENCODER, layers=LAYERS, news_rows=0, news_batch=1, pair_batch=2)
SMALL_RANKER = replace(RANKER, layers=LAYERS, batch=2, negatives=2)
CHOICES = {
    "encoder": {"pairs alone": SMALL_ENCODER, "speeches, then pairs": replace(SMALL_ENCODER, speech_rows=4)},
    "ranker": {"listwise": SMALL_RANKER, "pairwise": replace(SMALL_RANKER, loss="pairwise")},
}


@pytest.fixture
def tried(data, tmp_path, monkeypatch):
    """Runs the script over the tiny choices; what it wrote as its result."""
    older = {"id": "older", "title": "older", "date": "1950-01-01", "paragraphs": ["One.", "Two.", "Three."]}
    with (data / "documents.jsonl.gz").open("a") as documents:
        documents.write(json.dumps(older) + "\n")
    written = {}
    monkeypatch.setattr(training_choices, "CHOICES", CHOICES)
    monkeypatch.setattr(training_choices, "ENCODER_LAYERS", LAYERS)
    monkeypatch.setattr(training_choices, "write", written.__setitem__)
    base = write_base(tmp_path / "base")

    def run(kind, *told):
        given = ["--data", str(data), "--base", str(base), "--out", str(tmp_path / "out"), *told]
        monkeypatch.setattr(sys, "argv", ["training_choices", kind, *given])
        training_choices.main()
        return written[f"{kind}-choices-dev"]

    return run


def test_each_choice_is_trained_and_judged(tried, tmp_path):
    found = tried("encoder")
    assert found["n"] == 2
    assert found["choices"].keys() == CHOICES["encoder"].keys()
    trained = tmp_path / "out" / "encoder" / "pairs-alone" / "encoder-pairs.safetensors"
    assert (trained.parents[1] / "speeches-then-pairs" / "encoder-speeches.safetensors").exists()
    assert not (trained.parent / "encoder-speeches.safetensors").exists()
    found = tried("ranker", "--encoder", str(trained))
    assert found["choices"]["pairwise"]["figures"].keys() == {"map", "em", "f1"}


def test_what_was_judged_is_not_trained_again(tried, tmp_path):
    tried("encoder")
    kept = tmp_path / "out" / "encoder" / "pairs-alone" / "values.json"
    kept.write_text(json.dumps({"map": [0.25, 0.75]}))
    assert tried("encoder")["choices"]["pairs alone"]["figures"] == {"map": 50.0}


def test_some_choices_are_tried_alone(tried, capsys):
    found = tried("encoder", "--choices", "speeches, then pairs")
    assert list(found["choices"]) == ["speeches, then pairs"]
    with pytest.raises(SystemExit):
        tried("encoder", "--choices", "by heart")
    assert (
        "no such choice: by heart (there are: pairs alone, speeches, then pairs)" in capsys.readouterr().err
    )


def test_choices_are_tested_against_the_first():
    speeches = [str(i) for i in range(20)]
    found = compared({"first": {"map": [0.0] * 20}, "better": {"map": [1.0] * 20}}, speeches)
    assert found["better"] == {"figures": {"map": 100.0}, "p": {"map": pytest.approx(0.0001, abs=1e-4)}}
    assert found["first"]["p"] == {"map": 1.0}
