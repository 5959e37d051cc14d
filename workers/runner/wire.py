"""One call of model code as it travels: the payload's bytes in, the answer's bytes out."""

from __future__ import annotations

from collections.abc import Mapping

from reranker.models.loaded import Models
from rostrum_core import codec
from rostrum_core.errors import RostrumError, TaskError
from workers.runner.tasks import TASKS


def perform(models: Models, task: str, sent: bytes) -> bytes:
    """Return the answer to one payload, both as `rostrum_core.codec` writes them.

    Raises:
        TaskError: the payload cannot be worked on, or the answer cannot be sent.
        ModelError: the models can no longer be run: the device they ran on is gone.
    """
    try:
        return codec.encode(TASKS[task].run(models, codec.decode(sent)))
    except RostrumError:
        raise
    except Exception as error:  # ONNX Runtime's errors share no base class but Exception
        raise TaskError(f"{task} failed: {error!r}") from error


def require_same_models(task: str, expected: Mapping[str, str], ours: Mapping[str, str]) -> None:
    """Raise unless this worker's hashes `ours` match the caller's `expected` in the parts of `task`.

    Vectors and scores of other models would look right and be wrong.

    Raises:
        TaskError: a part differs; the message names it.
    """
    others = [name for name in TASKS[task].parts if expected.get(name) != ours.get(name)]
    if others:
        message = f"{' and '.join(others)} of a worker and of its caller are not the same"
        raise TaskError(f"{task}: {message}: give all of them the same models")


def require_task(task: str) -> None:
    """Raise unless there is a task of this name.

    Raises:
        TaskError: there is none.
    """
    if task not in TASKS:
        raise TaskError(f"no task is named {task!r}")
