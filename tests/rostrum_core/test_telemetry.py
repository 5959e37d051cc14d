"""Telemetry of dependencies is off before any of them is imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum_core.telemetry import SWITCHES

ROOT = Path(__file__).resolve().parents[2]
ENGINES = "('onnxruntime', 'openvino', 'torch')"


def run(code: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "package", ["rostrum", "reranker", "workers.runner.inline", "reranker.models.engines"]
)
def test_importing_a_package_sets_every_switch(package: str) -> None:
    code = f"import {package}, os; print([os.environ.get(name) for name in {list(SWITCHES)}])"
    assert run(code) == str(list(SWITCHES.values()))


def test_the_command_line_starts_without_engines_and_slow_libraries() -> None:
    slow = f"({ENGINES[1:-1]}, 'denckring', 'langcodes', 'pydantic')"
    assert run(f"import rostrum.cli, sys; print([name for name in {slow} if name in sys.modules])") == "[]"


def test_openvino_is_loaded_without_its_reporter() -> None:
    pytest.importorskip("openvino")
    code = "import reranker, openvino, sys; print(sys.modules['openvino_telemetry'], bool(openvino.Core()))"
    assert run(code) == "None True"


def test_the_images_set_every_switch() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    assert [f"{name}={value}" for name, value in SWITCHES.items() if f"{name}={value}" not in text] == []
