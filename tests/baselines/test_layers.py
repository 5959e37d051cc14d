"""Rankers by their number of layers: each is judged, tested against the first, and timed."""

import sys

import pytest

from benchmarks import layers
from benchmarks.layers import compared
from rostrum.archive.shipped_files import shipped


def test_each_folder_is_judged_and_timed_under_its_name(data, tmp_path, monkeypatch):
    written, folder = {}, shipped("models")
    monkeypatch.setattr(layers, "CANDIDATES", 3)
    monkeypatch.setattr(layers, "write", written.__setitem__)
    given = ["--data", str(data), "--judged", str(tmp_path), f"6={folder}", f"again={folder}"]
    monkeypatch.setattr(sys, "argv", ["layers", *given])
    layers.main()
    found = written["layers-dev"]
    assert found["n"] == 2
    assert found["layers"] == {"6": 6, "again": 6}
    assert found["compared"]["again"]["figures"] == found["compared"]["6"]["figures"]
    assert 0 < found["compared"]["6"]["figures"]["f1"] <= 100
    assert found["compared"]["6"]["p50_ms"] > 0


@pytest.mark.parametrize(
    ("given", "told"),
    [(["models"], "models is no NAME=FOLDER"), (["6=a", "6=b"], "a name is there twice")],
)
def test_a_folder_needs_a_name_of_its_own(given, told, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["layers", "--data", "d", "--judged", "j", *given])
    with pytest.raises(SystemExit):
        layers.main()
    assert told in capsys.readouterr().err


def test_figures_are_tested_against_the_first():
    speeches, took = [str(i) for i in range(20)], {"p50_ms": 10.0, "least_ms": 9.0, "ratio": 1.0}
    found = compared(
        {"6": {"map": [1.0] * 20}, "3": {"map": [0.5] * 20}},
        speeches,
        {"6": took, "3": {**took, "ratio": 0.5}},
    )
    assert found["3"]["figures"] == {"map": 50.0}
    assert found["3"]["p"]["map"] < 0.001 < found["6"]["p"]["map"]
    assert found["3"]["ratio"] == 0.5
