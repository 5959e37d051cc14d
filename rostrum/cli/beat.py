"""`rostrum beat`: request refresh jobs by a schedule."""

from __future__ import annotations

import click

from indexer.metadata import READ_NAMES
from rostrum.cli.index import kind_option, map_option, mirror_option
from rostrum.cli.options import load_settings, read_fields
from rostrum.cli.terminal import open_messages
from rostrum.cli.worker import LOOPBACK, require_life
from rostrum_core.refresh_jobs import RefreshRequest


@click.command(short_help="Request refresh jobs on a schedule.")
@click.argument("paths", nargs=-1)
@kind_option
@map_option
@mirror_option
@click.option("--healthy", is_flag=True, help="Only check whether the scheduler on this machine is running.")
def beat(
    paths: tuple[str, ...], kind: str | None, mapped: tuple[str, ...], mirror: bool, healthy: bool
) -> None:
    """Request a refresh of PATHS at the times of ROSTRUM_REFRESH_SCHEDULE, until stopped.

    PATHS are as in `rostrum refresh`. Run only one such scheduler. A refresh is skipped if another one is
    running, or if no worker takes it within five minutes.

    \b
    Example:
      rostrum beat --mirror
    """
    from rostrum.assemble import open_beat, require_cluster

    settings = load_settings()
    if healthy:
        with require_cluster():
            from workers.alive import BEAT
        require_life(settings.redis_url or LOOPBACK, BEAT)
        return
    serving = open_beat(settings, RefreshRequest(paths, kind, mirror, fields=read_fields(mapped, READ_NAMES)))
    message = f"ready: asks for a refresh at {settings.refresh_schedule}"
    serving.serve(lambda: open_messages().print(message, soft_wrap=True))
