"""Run a Celery worker that takes tasks from given queues."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from uuid import uuid4

from celery import Celery, signals

from workers.app import ENCODE
from workers.presence import Presence


def serve(app: Celery, queues: Sequence[str], *, concurrency: int, ready: Callable[[], None]) -> int:
    """Take work until SIGTERM or SIGINT, finish what was started, and return Celery's exit code.

    `ready` is called before the first task. With `concurrency` 1, tasks run in this process; otherwise they
    run in forked processes. Tasks of requests are taken before tasks of a refresh.
    """
    signals.worker_ready.connect(lambda **_: ready(), weak=False)
    app.steps["consumer"].add(Presence)
    worker = app.Worker(
        hostname=f"rostrum-{uuid4().hex[:12]}@{socket.gethostname()}",  # process ids repeat in containers
        pool="solo" if concurrency == 1 else "prefork",
        concurrency=concurrency,
        queues=sorted(queues, key=lambda name: name == ENCODE),
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return worker.exitcode or 0
