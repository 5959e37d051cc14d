"""Load the models and run each of them once, before requests arrive or a worker takes work."""

from __future__ import annotations

from reranker.models.loaded import Models
from rostrum_core import codec
from workers.runner.payloads import Payload
from workers.runner.tasks import TASKS
from workers.runner.wire import perform


def warm(models: Models) -> None:
    """Load the models and run each task on its example, so that no request has to wait for the loading.

    Raises:
        ModelError: the models cannot be loaded.
        TaskError: the models cannot be run.
    """
    answers: dict[str, Payload] = {}
    for name, task in TASKS.items():
        if task.example is not None and all(part in models.hashes for part in task.parts):
            answer = perform(models, name, codec.encode(task.example(answers)))
            answers[name] = codec.decode(answer)
