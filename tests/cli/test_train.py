"""`rostrum train` says what it needs; what it does is tested where torch is (tests/training)."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from rostrum_core.extras import install_command
from tests.cli.conftest import Rostrum


@pytest.mark.skipif(find_spec("torch") is not None, reason="training is installed here")
def test_without_the_extra_it_is_named(rostrum: Rostrum, tmp_path: Path) -> None:
    shown = rostrum("train", "--data", tmp_path, "--out", tmp_path / "run")
    assert shown.code == 1
    assert shown.complaint.endswith(install_command("train"))
    assert not (tmp_path / "run").exists()
