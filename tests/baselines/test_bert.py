"""The script of the paper's models, on a tiny BERT: trained, exported or not, and its run made."""

import json
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxscript")

from safetensors.torch import load_file

from benchmarks.baselines import bert
from benchmarks.baselines.runs import read, run_path, split
from evaluation.data import NEWS
from rostrum_core.errors import BadInput
from tests.training.tiny import LAYERS, write_base

QUOTES = ("we go because it is there", "this decade will see it done", "not because they are easy")


@pytest.fixture
def made(data, tmp_path, monkeypatch):
    """Runs the script with further arguments; the folder of what was trained, and the run's rows of dev."""
    rows = [{"article": "a", "title": "Rivers", "left": "He said so.", "quote": quote} for quote in QUOTES]
    (data / NEWS).write_text("".join(json.dumps(row) + "\n" for row in rows))
    base = write_base(tmp_path / "base")

    def run(name, *arguments):
        given = ["--data", str(data), "--base", str(base), "--layers", str(LAYERS), "--split", "dev"]
        given += ["--out", str(tmp_path / "out"), "--runs", str(tmp_path / "runs"), "--name", name]
        given += ["--negatives", "1", "--batch", "2", "--epochs", "1"]
        monkeypatch.setattr(sys, "argv", ["bert", "shared-norm", *given, *arguments])
        bert.main()
        return tmp_path / "out", read(run_path(tmp_path / "runs", "dev", name, 7), split(data, "dev"))

    return run


def test_torch_makes_the_run_that_the_exported_graph_makes(made):
    out, by_torch = made("one", "--engine", "torch")
    assert not (out / "one@7").exists()
    _, by_graph = made("other")
    assert (out / "other@7" / "full.onnx").exists()
    for first, second in zip(by_torch, by_graph, strict=True):
        assert first.scores == pytest.approx(second.scores, abs=1e-4)
        assert [(s.start_char, s.end_char) for s in first.spans] == [
            (s.start_char, s.end_char) for s in second.spans
        ]


def test_news_quotations_are_learned_before_the_pairs(made):
    out, _ = made("pairs alone", "--engine", "torch")
    assert not (out / "pairs alone@7-news.safetensors").exists()
    made("news first", "--engine", "torch", "--news-rows", "2")
    first, then, alone = (
        load_file(out / f"{name}.safetensors")["edges.weight"]
        for name in ("news first@7-news", "news first@7", "pairs alone@7")
    )
    assert not first.equal(then)
    assert not then.equal(alone)


def test_a_training_without_news_is_not_gone_on_with(made):
    made("begun", "--engine", "torch")
    with pytest.raises(BadInput):
        made("begun", "--engine", "torch", "--news-rows", "2")


def test_a_name_stands_for_one_number_of_layers(made):
    made("begun", "--engine", "torch")
    with pytest.raises(BadInput):
        made("begun", "--engine", "torch", "--layers", str(LAYERS - 1))


def test_other_news_is_not_gone_on_with(made, data, capsys):
    arguments = ("begun", "--engine", "torch", "--news-rows", "2")
    made(*arguments)
    (data / NEWS).write_text((data / NEWS).read_text().replace("Rivers", "Seas"))
    with pytest.raises(BadInput):
        made(*arguments)
    (data / NEWS).unlink()
    with pytest.raises(SystemExit):
        made(*arguments)
    assert "there is no news-quotes.jsonl.gz in" in capsys.readouterr().err


def test_torch_is_not_asked_for_bfloat16(made, capsys):
    with pytest.raises(SystemExit):
        made("half", "--engine", "torch", "--precision", "bfloat16")
    assert "torch makes runs in float32" in capsys.readouterr().err
