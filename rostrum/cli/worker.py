"""`rostrum worker`: runs model code for others, by way of Redis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from rostrum.cli.options import settings_of
from rostrum.cli.terminal import messages
from rostrum.core.errors import BadInput
from rostrum.core.settings import DEVICES, Settings

LOOPBACK = "redis://127.0.0.1:6379/0"


@click.command()
@click.option("--queues", metavar="NAMES", help="Queues to take from, separated by commas.")
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes work, each with models of its own.",
)
@click.option("--device", type=click.Choice(DEVICES), help="What models run on; ROSTRUM_DEVICE unless told.")
def worker(queues: str | None, concurrency: int, device: str | None) -> None:
    """Takes model work from Redis (ROSTRUM_REDIS_URL; this machine's, unless told) until it is stopped.

    Models are loaded and warmed up before any work is taken. SIGTERM and Ctrl-C let it finish what it has
    begun.

    \b
    Example:
      rostrum worker --concurrency 2
    """
    from rostrum.service.assemble import needing_cluster, open_worker

    settings = settings_of()
    settings = replace(settings, device=device or settings.device)
    _check(settings, concurrency)
    with needing_cluster():
        from workers.app import QUEUES
    names = None if queues is None else _names(queues, QUEUES)
    serving = open_worker(settings, settings.redis_url or LOOPBACK, queues=names, concurrency=concurrency)
    serving.serve(lambda: messages().print(f"ready: takes from {', '.join(serving.queues)}", soft_wrap=True))


def _names(queues: str, known: Sequence[str]) -> tuple[str, ...]:
    names = tuple(filter(None, (name.strip() for name in queues.split(","))))
    for name in names:
        if name not in known:
            raise BadInput(f"no queue is named {name!r}; there are {', '.join(known)}", field="queues")
    if not names:
        raise BadInput("name at least one queue", field="queues")
    return names


def _check(settings: Settings, concurrency: int) -> None:
    if settings.device == "cuda" and concurrency > 1:
        raise BadInput("a GPU is worked by one process: start one worker for each GPU", field="concurrency")
