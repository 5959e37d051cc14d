"""A worker that knows one task more, which does nothing: what is left is the way there and back.

python -m benchmarks.idle_tasks worker
"""

from __future__ import annotations

from typing import Any

from reranker.models.loaded import Models
from rostrum.cli import main
from workers.runner.payloads import Payload
from workers.runner.tasks import TASKS, Task


def idle(models: Models, payload: Payload) -> dict[str, Any]:
    """As many scores as the payload has texts, as the task `rank` gives them."""
    return {"scores": payload["query"][: len(payload["texts"])]}


def add_idle() -> None:
    """Makes the task `idle` known to this process."""
    TASKS["idle"] = Task(idle)


if __name__ == "__main__":
    add_idle()
    main()
