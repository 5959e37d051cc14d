"""One call of model code as it travels: the payload's bytes in, the answer's bytes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from reranker.models.loaded import Hashes, Models
from rostrum_core import codec
from rostrum_core.errors import RostrumError, TaskError
from workers.runner.tasks import TASKS

NEEDED = {
    "draft": ("encoder", "tokenizer"),
    "encode": ("encoder", "tokenizer"),
    "rank": ("ranker", "tokenizer"),
}
"""What of the models decides the answers of a task, as `Hashes` names it."""


def perform(models: Models, task: str, sent: bytes) -> bytes:
    """The answer to one payload, both as `rostrum_core.codec` writes them.

    Raises:
        TaskError: the payload cannot be worked on, or the answer cannot be sent.
        ModelError: the models can no longer be run: the device they ran on is gone.
    """
    try:
        return codec.encode(TASKS[task](models, codec.decode(sent)))
    except RostrumError:
        raise
    except Exception as error:  # ONNX Runtime's errors share no base class but Exception
        raise TaskError(f"{task} failed: {error!r}") from error


def check_same(task: str, asked: Mapping[str, str], hashes: Hashes) -> None:
    """Nothing, if what a task needs of the models with these hashes is what the caller asked for.

    Vectors and scores of other models would look right and be wrong.

    Raises:
        TaskError: something is another one; it says what.
    """
    ours = asdict(hashes)
    others = [name for name in NEEDED.get(task, ()) if asked.get(name) != ours[name]]
    if others:
        told = f"{' and '.join(others)} of a worker and of its caller are not the same"
        raise TaskError(f"{task}: {told}: give all of them the same models")


def check_known(task: str) -> None:
    """Nothing, if there is such a task.

    Raises:
        TaskError: there is none.
    """
    if task not in TASKS:
        raise TaskError(f"no task is named {task!r}")
