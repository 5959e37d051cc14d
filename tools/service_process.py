"""A `rostrum serve` in a process of its own, for tests and benchmarks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.program import ProgramProcess


class ServiceProcess(ProgramProcess):
    """A started service on any free port of loopback."""

    def __init__(self, log: Path, *options: str, **settings: str) -> None:
        super().__init__(log, ["serve", "--port", "0", *options], settings)
        self.url = ""

    def wait_serving(self) -> ServiceProcess:
        """Returns when it takes requests at `url`.

        Raises:
            RuntimeError: it does not come to that.
        """
        self._wait(lambda: bool(self._addresses()))
        self.url = self._addresses()[0]
        return self

    def lines(self) -> list[dict[str, Any]]:
        """The lines of its log that are whole."""
        return [json.loads(line) for line in self.told().splitlines() if line.endswith("}")]

    def _addresses(self) -> list[str]:
        return [line["url"] for line in self.lines() if line["message"] == "serving"]
