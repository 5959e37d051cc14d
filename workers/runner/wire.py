"""Run a task of the models: decode its payload from bytes, and encode its response as bytes."""

from __future__ import annotations

from collections.abc import Mapping

from reranker.models.loaded import Models
from rostrum_core import codec
from rostrum_core.errors import RostrumError, TaskError
from workers.runner.tasks import TASKS


def perform(models: Models, task: str, sent: bytes) -> bytes:
    """Run a task on one payload, and return the response; both are bytes encoded by `rostrum_core.codec`.

    Raises:
        TaskError: the payload cannot be processed, or the response cannot be sent.
        ModelError: the models can no longer be run, because their device is gone.
    """
    try:
        return codec.encode(TASKS[task].run(models, codec.decode(sent)))
    except RostrumError:
        raise
    except Exception as error:  # ONNX Runtime's errors share only the base class Exception
        raise TaskError(f"{task} failed: {error!r}") from error


def require_same_models(task: str, expected: Mapping[str, str], ours: Mapping[str, str]) -> None:
    """Raise an error unless worker and caller have the same models for the task named `task`.

    `ours` are the hashes of this worker's model parts, `expected` those of the caller. Only the parts that
    the task uses are compared. With different models, vectors and scores would look right but be wrong.

    Raises:
        TaskError: a part differs, or this worker's models lack it; the message names the part.
    """
    parts = TASKS[task].parts
    lacking = [name for name in parts if name not in ours]
    if lacking:
        raise TaskError(f"{task}: the models of a worker have no part {' and '.join(map(repr, lacking))}")
    others = [name for name in parts if expected.get(name) != ours[name]]
    if others:
        message = f"{' and '.join(others)} of a worker and of its caller are not the same"
        raise TaskError(f"{task}: {message}: give all of them the same models")


def require_task(task: str) -> None:
    """Check that a task with this name exists.

    Raises:
        TaskError: no such task exists.
    """
    if task not in TASKS:
        raise TaskError(f"no task is named {task!r}")
