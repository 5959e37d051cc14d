"""Run `rostrum worker` in its own process, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tools.program import PROGRAM, ProgramProcess


class WorkerProcess(ProgramProcess):
    """Run a worker; its models are warmed up once `wait_ready` returns."""

    def __init__(
        self,
        redis_url: str,
        log: Path,
        *options: str,
        program: Sequence[str] = PROGRAM,
        threads: int = 1,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        arguments = {**settings, "redis_url": redis_url, "threads": str(threads)}
        super().__init__(log, ["worker", *options], arguments, program)

    def wait_ready(self) -> WorkerProcess:
        """Wait until the worker takes work, and return this object.

        Raises:
            RuntimeError: it does not start.
        """
        self._wait(lambda: "ready: " in self.read_output())
        return self
