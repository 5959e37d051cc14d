"""Start a worker with an additional task that does nothing, to measure the overhead of a round trip.

python -m benchmarks.idle_tasks worker
"""

from __future__ import annotations

from typing import Any

from reranker.models.loaded import Models
from rostrum.cli import main
from workers.runner.payloads import Payload
from workers.runner.tasks import TASKS, Task


def answer_idle(models: Models, payload: Payload) -> dict[str, Any]:
    """Return as many scores as the payload has texts, in the form of the task `rank`."""
    return {"scores": payload["query"][: len(payload["texts"])]}


def add_idle() -> None:
    """Register the task `idle` in this process."""
    TASKS["idle"] = Task(answer_idle)


if __name__ == "__main__":
    add_idle()
    main()
