"""`rostrum worker`: run model code for other processes, by way of Redis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import click

from rostrum.cli.options import load_settings
from rostrum.cli.terminal import open_messages
from rostrum_core.errors import BadInput
from rostrum_core.settings import Device, Settings

if TYPE_CHECKING:
    from workers.background.refreshing import RefreshWorker
    from workers.runner.worker import Worker

LOOPBACK = "redis://127.0.0.1:6379/0"


@click.command(short_help="Run model work and refresh jobs sent through Redis.")
@click.option("--queues", metavar="NAMES", help="Queues to take from, separated by commas.")
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of processes, each with its own models.",
)
@click.option(
    "--device",
    type=click.Choice(get_args(Device)),
    help="Device that runs the models; default: ROSTRUM_DEVICE.",
)
@click.option("--healthy", is_flag=True, help="Only check whether such a worker on this machine is running.")
def worker(queues: str | None, concurrency: int, device: Device | None, healthy: bool) -> None:
    """Run model work from Redis (ROSTRUM_REDIS_URL; default: this machine's) until stopped.

    Models are loaded and warmed up before work is taken. On SIGTERM and Ctrl-C, running tasks are finished.
    With --queues refresh, the worker runs refresh jobs over the transcripts in ROSTRUM_SOURCES; when stopped,
    it returns an unfinished job to the queue. With --healthy, the command exits at once, with code 1 if this
    machine's worker hangs or is gone.

    \b
    Example:
      rostrum worker --concurrency 2
    """
    from rostrum.assemble import open_refresh_worker, open_worker, require_cluster

    settings = load_settings()
    settings = replace(settings, device=device or settings.device)
    _check(settings, concurrency)
    with require_cluster():
        from workers.app import QUEUES, REFRESH, RERANK
    names = None if queues is None else _parse_queues(queues, QUEUES)
    redis_url = settings.redis_url or LOOPBACK
    if healthy:
        require_life(redis_url, (names or (RERANK[settings.device],))[0])
        return
    serving: Worker | RefreshWorker
    if names is not None and REFRESH in names:
        _check_alone(names, concurrency)
        serving = open_refresh_worker(settings, redis_url)
    else:
        serving = open_worker(settings, redis_url, queues=names, concurrency=concurrency)
    serving.serve(
        lambda: open_messages().print(f"ready: takes from {', '.join(serving.queues)}", soft_wrap=True)
    )


def require_life(redis_url: str, name: str) -> None:
    """Exit with code 1 if a worker or scheduler on this machine sends no heartbeats.

    `name` is one of the worker's queues, or `beat` for the scheduler.
    """
    from workers.alive import is_alive_here

    if not is_alive_here(redis_url, name):
        open_messages().print(f"unhealthy: {name} of this machine shows no signs of life", soft_wrap=True)
        raise click.exceptions.Exit(1)


def _parse_queues(queues: str, queue_names: Sequence[str]) -> tuple[str, ...]:
    names = tuple(filter(None, (name.strip() for name in queues.split(","))))
    for name in names:
        if name not in queue_names:
            raise BadInput(f"no queue is named {name!r}; there are {', '.join(queue_names)}", field="queues")
    if not names:
        raise BadInput("name at least one queue", field="queues")
    return names


def _check_alone(names: Sequence[str], concurrency: int) -> None:
    """Raise an error if a worker for refresh jobs also has other queues or several processes.

    A refresh job takes hours and waits for workers that encode. So it needs a worker of its own.
    """
    if len(names) > 1:
        raise BadInput(
            "a worker of the queue refresh takes from no other: start one for each", field="queues"
        )
    if concurrency > 1:
        raise BadInput("one refresh runs at a time: a worker of them is one process", field="concurrency")


def _check(settings: Settings, concurrency: int) -> None:
    if settings.device == "cuda" and concurrency > 1:
        raise BadInput("a GPU is worked by one process: start one worker for each GPU", field="concurrency")
