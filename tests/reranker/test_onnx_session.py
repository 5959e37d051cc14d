"""Ctrl-C while the engine is imported ends the command like any other Ctrl-C."""

import sys

import pytest

from reranker.models.onnx_session import open_session


class Interrupting:
    """An import hook that raises what a native module raises when Ctrl-C hits its initialisation."""

    def __init__(self, cause):
        self.cause = cause

    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            raise ImportError("initialization failed") from self.cause


@pytest.mark.parametrize(("cause", "raised"), [(KeyboardInterrupt(), KeyboardInterrupt), (None, ImportError)])
def test_an_interrupted_import_is_an_interrupt(monkeypatch, tmp_path, cause, raised):
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(cause), *sys.meta_path])
    with pytest.raises(raised):
        open_session(tmp_path / "none.onnx", 1)
