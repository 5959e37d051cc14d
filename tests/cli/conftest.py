"""Commands run in this process by their arguments, or as a process of their own where the system matters."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rostrum.cli import run

# A process begun by a job in the background ignores Ctrl-C; here it is to heed it wherever the tests run.
HEEDED = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PROGRAM = [sys.executable, "-c", f"{HEEDED}; from rostrum.cli import main; main()"]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


Rostrum = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("ROSTRUM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "280")  # a slow machine is no reason to degrade
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def rostrum(capfd: pytest.CaptureFixture[str]) -> Rostrum:
    """Runs a command in this process."""

    def command(*arguments: str | Path) -> Outcome:
        capfd.readouterr()
        code = run([str(each) for each in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return command


@pytest.fixture
def process() -> Callable[..., subprocess.Popen[str]]:
    """Starts a command as a process of its own."""

    def start(*arguments: str | Path) -> subprocess.Popen[str]:
        line = [*PROGRAM, *map(str, arguments)]
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start
