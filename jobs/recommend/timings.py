"""Record how long each stage of an answer took (such as "rank"), and which stages were skipped."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from rostrum_core.errors import RedisAway, RedisFull, TaskError

LOG = logging.getLogger(__name__)
Around = Callable[[str], AbstractContextManager[object]]
"""Return the context manager in which to run the stage of this name, such as a span of a trace."""


@dataclass
class Stages:
    """Record the stages of one answer, such as "rank": how long each took, and which were skipped.

    `timings_s` maps the name of a stage to its time in seconds. `degraded` has the names of skipped stages,
    with reasons. `around` is a function that the caller may set: `time_stage` calls it with the name of a
    stage, and runs the stage inside the context manager that it returns.
    """

    around: Around = nullcontext
    timings_s: dict[str, float] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)

    def skip(self, name: str, error: TaskError) -> None:
        """Record that the stage `name` was skipped because of `error`.

        Details of Redis, such as its address, go to the log only.
        """
        reason = str(error)
        if isinstance(error, RedisAway):
            LOG.warning("%s is skipped: %s", name, error)
            reason = "Redis is full" if isinstance(error, RedisFull) else "Redis cannot be used"
        self.degraded.append(f"{name}: {reason}")

    @contextmanager
    def time_stage(self, name: str) -> Iterator[None]:
        """Measure how long the code inside the context takes, and add this to the time of stage `name`."""
        began = time.monotonic()
        try:
            with self.around(name):
                yield
        finally:
            self.timings_s[name] = self.timings_s.get(name, 0.0) + time.monotonic() - began
