"""A `rostrum worker` in a process of its own, for tests and benchmarks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ("-c", "from rostrum.cli import main; main()")
START_TIMEOUT_S = 150.0
STOP_TIMEOUT_S = 30.0


class WorkerProcess:
    """A started worker that writes to `log`; it is warm once `wait_ready` returns.

    `program` are Python's arguments before `worker`.
    """

    def __init__(
        self, redis_url: str, log: Path, *options: str, program: Sequence[str] = PROGRAM, threads: int = 1
    ) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ROSTRUM_")}
        environment |= {"ROSTRUM_REDIS_URL": redis_url, "ROSTRUM_THREADS": str(threads)}
        self._log = log
        with log.open("wb") as told:
            self.process = subprocess.Popen(
                [sys.executable, *program, "worker", *options],
                cwd=ROOT,
                env=environment,
                stdout=told,
                stderr=subprocess.STDOUT,
            )

    def wait_ready(self) -> WorkerProcess:
        """Returns when the worker takes work.

        Raises:
            RuntimeError: it does not come to that.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        while "ready: " not in self.told():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the worker is not ready:\n{self.told()}")
            time.sleep(0.1)
        return self

    def told(self) -> str:
        """All that the worker has written so far."""
        return self._log.read_text("utf-8", "replace")

    def stop(self) -> int:
        """Asks it to finish and leave; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self) -> None:
        """Ends it at once, as a loss of power would; processes that it forked notice and end."""
        self.process.kill()
        self.process.wait()
