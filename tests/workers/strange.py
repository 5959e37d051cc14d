"""Tasks that no product has, for the faults that real ones never show, and a command line that knows them."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

from rostrum_core.errors import ModelError
from workers.runner import tasks
from workers.runner.tasks import TASKS, Task

VISIBILITY_S = 3  # in place of half a minute
ENCODE_GATE = "TEST_ENCODE_GATE"


def echo(models, payload):
    """The payload, and which process answered."""
    return {"said": payload["say"], "process": os.getpid()}


def sleep(models, payload):
    """Notes the process in the file `begun` and sleeps until the file `end` is there, at most 60 s."""
    with Path(payload["begun"]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    deadline = time.monotonic() + 60
    while not Path(payload["end"]).exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return {"process": os.getpid()}


def die(models, payload):
    """Kills the process that works on it."""
    os.kill(os.getpid(), signal.SIGKILL)


def lose(models, payload):
    """Loses the device of the process whose id is in the payload; another answers."""
    if os.getpid() == payload["process"]:
        raise ModelError("the device is gone")
    return {"process": os.getpid()}


def encode(models, payload):
    """As ever, but it waits while the file that `ENCODE_GATE` names is there, and writes into it."""
    gate = Path(os.environ.get(ENCODE_GATE, "none"))
    if gate.exists():
        gate.write_text("somebody waits")
        while gate.exists():
            time.sleep(0.02)
    return tasks.encode_paragraphs(models, payload)


STRANGE = {task.__name__: task for task in (echo, sleep, die, lose)}

if __name__ == "__main__":
    from rostrum.cli import main
    from workers import app

    TASKS.update({name: Task(task) for name, task in STRANGE.items()})
    TASKS["encode"] = replace(TASKS["encode"], run=encode)
    app.VISIBILITY_S = VISIBILITY_S
    app.RESTORE_S = 1
    main()
