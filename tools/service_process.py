"""A `rostrum serve` in a process of its own, for tests and benchmarks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ("-c", "from rostrum.cli import main; main()")
START_TIMEOUT_S = 150.0
STOP_TIMEOUT_S = 40.0


class ServiceProcess:
    """A started service on any free port of loopback, with these settings only; it writes to `log`."""

    def __init__(self, log: Path, *options: str, **settings: str) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ROSTRUM_")}
        environment |= {f"ROSTRUM_{name.upper()}": value for name, value in settings.items()}
        self._log = log
        self.url = ""
        with log.open("wb") as told:
            self.process = subprocess.Popen(
                [sys.executable, *PROGRAM, "serve", "--port", "0", *options],
                cwd=ROOT,
                env=environment,
                stdout=told,
                stderr=subprocess.STDOUT,
            )

    def wait_serving(self) -> ServiceProcess:
        """Returns when it takes requests at `url`.

        Raises:
            RuntimeError: it does not come to that.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        while not (found := [line["url"] for line in self.lines() if line["message"] == "serving"]):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the service does not serve:\n{self.told()}")
            time.sleep(0.1)
        self.url = found[0]
        return self

    def told(self) -> str:
        """All that it has written so far."""
        return self._log.read_text("utf-8", "replace")

    def lines(self) -> list[dict[str, Any]]:
        """The lines of its log that are whole."""
        return [json.loads(line) for line in self.told().splitlines() if line.endswith("}")]

    def stop(self) -> int:
        """Asks it to finish and leave; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_TIMEOUT_S)

    def kill(self) -> None:
        """Ends it at once."""
        self.process.kill()
        self.process.wait()
