"""Run `rostrum serve` in its own process, for tests and benchmarks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.program import ProgramProcess


class ServiceProcess(ProgramProcess):
    """Run a service on a free port of loopback."""

    def __init__(self, log: Path, *options: str, **settings: str) -> None:
        super().__init__(log, ["serve", "--port", "0", *options], settings)
        self.url = ""

    def wait_serving(self) -> ServiceProcess:
        """Wait until the service accepts requests at `url`, and return this object.

        Raises:
            RuntimeError: it does not start.
        """
        self._wait(lambda: bool(self._read_addresses()))
        self.url = self._read_addresses()[0]
        return self

    def read_lines(self) -> list[dict[str, Any]]:
        """Return the complete lines of the service's log, parsed as JSON."""
        return [json.loads(line) for line in self.read_output().splitlines() if line.endswith("}")]

    def _read_addresses(self) -> list[str]:
        return [line["url"] for line in self.read_lines() if line["message"] == "serving"]
