"""Run a `rostrum` command in its own process, logging to a file, for tests and benchmarks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.owner import end_with_owner

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ("-c", "from rostrum.cli import main; main()")
START_TIMEOUT_S = 150.0
STOP_TIMEOUT_S = 40.0


class ProgramProcess:
    """Run a command in a process with only these settings.

    `program` are the arguments of Python before the arguments of the command.

    The process ends with the thread that started it.
    """

    def __init__(
        self,
        log: Path,
        arguments: Sequence[str],
        settings: Mapping[str, str],
        program: Sequence[str] = PROGRAM,
    ) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ROSTRUM_")}
        environment |= {f"ROSTRUM_{name.upper()}": value for name, value in settings.items()}
        self._log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, *program, *arguments],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=end_with_owner,
            )

    def read_output(self) -> str:
        """Return the output so far."""
        return self._log.read_text("utf-8", "replace")

    def stop(self) -> int:
        """Ask the process to finish, kill it if it does not, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self) -> None:
        """Kill the process at once, as a power failure would; its forked processes notice this and end."""
        self.process.kill()
        self.process.wait()

    def _wait(self, is_ready: Callable[[], bool]) -> None:
        """Wait until the process is ready; raise RuntimeError if that never happens."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while not is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"it is not ready:\n{self.read_output()}")
            time.sleep(0.1)
