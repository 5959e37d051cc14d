"""Remedies that are named work: in a checkout, and from an installed wheel."""

import subprocess
import sys
from pathlib import Path

import pytest

from rostrum_core.extras import ROOT, install_command

EXTRAS = ("api", "cluster", "evaluation", "gpu", "openvino", "otel", "train")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_of_a_checkout_names_its_folder_and_what_is_pinned(extra: str) -> None:
    assert (ROOT / "pyproject.toml").is_file()
    command = install_command(extra)
    assert command.startswith(f"pip install -c {ROOT / 'constraints.txt'} -e '")
    assert command.endswith(f"[{extra}]'")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_of_a_wheel_names_packages(extra: str, tmp_path: Path) -> None:
    command = install_command(extra, tmp_path)
    assert command.startswith("pip install '")
    assert "rostrum-quotes" not in command


def test_pip_finds_what_the_command_of_a_wheel_names(tmp_path: Path) -> None:
    """All of the extra `api` is installed here: pip has nothing to do, and knows every name."""
    names = install_command("api", tmp_path).split("'")[1::2]
    options = ["install", "--dry-run", "--no-index", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([sys.executable, "-m", "pip", *options, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
