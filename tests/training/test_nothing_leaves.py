"""What training imports reports to nobody."""

import os
import sys
from pathlib import Path

import pytest

from tools.program import ROOT
from tools.strace import StraceMissing, trace

pytest.importorskip("torch")


def test_importing_training_connects_to_nothing_and_writes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "PYTHONPATH": str(ROOT)}
    code = "import training.run, training.export, torch, onnx, onnxscript, onnxruntime"
    try:
        found = trace((sys.executable, "-B", "-c", code), folder=tmp_path, environment=environment)
    except StraceMissing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    assert found.code == 0, found.output
    assert found.list_foreign() == []
    assert [path for path in home.rglob("*") if path.is_file()] == []
