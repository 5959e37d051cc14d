"""How a Celery worker of ours is run, whatever it works on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from celery import Celery, signals

from workers.presence import Presence


def serve(app: Celery, queues: Sequence[str], *, concurrency: int, ready: Callable[[], None]) -> int:
    """Takes work until SIGTERM or SIGINT and finishes what was begun; calls `ready` before the first.

    One process works itself; more are forked from it. Gives Celery's exit code, 0 where all went well.
    """
    signals.worker_ready.connect(lambda **_: ready(), weak=False)
    app.steps["consumer"].add(Presence)
    worker = app.Worker(
        hostname=f"rostrum-{os.getpid()}@%h",
        pool="solo" if concurrency == 1 else "prefork",
        concurrency=concurrency,
        queues=list(queues),
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return worker.exitcode or 0
