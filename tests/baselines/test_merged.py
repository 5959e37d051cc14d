"""Another ranker in the product's merge, over rows that the shipped models judge."""

import numpy as np
import pytest

from benchmarks.baselines.merged import main
from benchmarks.baselines.runs import RunRow, complete_run, read, run_path, split
from rostrum_core.errors import BadInput


@pytest.fixture
def merge(data, tmp_path, monkeypatch, capsys):
    """Merges a ranker; the ranker's weight and the places of the best paragraphs of test."""

    def merged(name):
        arguments = ["--data", str(data), "--runs", str(tmp_path), "--judged", str(tmp_path / "judged")]
        monkeypatch.setattr("sys.argv", ["merged", name, *arguments, "--split", "test"])
        main()
        weight = float(capsys.readouterr().out.split("model=")[1].split(",")[0])
        rows = read(run_path(tmp_path, "test", f"merged-{name}", 7), split(data, "test"))
        return weight, [int(row.scores.argmax()) for row in rows]

    return merged


@pytest.mark.slow
def test_a_ranker_that_is_sure_decides(data, tmp_path, merge):
    def last(transcript, drafts):
        at = len(transcript.paragraphs) - 1
        return [RunRow(pair, 1000 * np.eye(at + 1)[at]) for pair in drafts]

    def quoted(transcript, drafts):
        return [RunRow(pair, np.eye(len(transcript.paragraphs))[1]) for pair in drafts]

    complete_run(run_path(tmp_path, "dev", "sure", 7), split(data, "dev"), quoted)
    complete_run(run_path(tmp_path, "test", "sure", 7), split(data, "test"), last)
    weight, best = merge("sure")
    assert weight > 0
    assert best == [len(split(data, "test").documents[name].paragraphs) - 1 for name in ("moon", "fear")]


@pytest.mark.slow
def test_the_products_own_ranker_needs_no_run_and_another_does(merge):
    assert len(merge("ours")[1]) == 2
    with pytest.raises(BadInput, match="lacks 2 of 2 drafts"):
        merge("nobody")
