"""`rostrum beat`: refresh jobs by a schedule."""

from __future__ import annotations

import click

from rostrum.cli.index import kind_option
from rostrum.cli.options import settings_of
from rostrum.cli.terminal import messages
from rostrum_core.refresh_jobs import RefreshRequest


@click.command(short_help="Asks for refresh jobs by a schedule.")
@click.argument("paths", nargs=-1)
@kind_option
@click.option(
    "--mirror", is_flag=True, help="Deletes speeches that are not among PATHS, if nothing is refused."
)
def beat(paths: tuple[str, ...], kind: str | None, mirror: bool) -> None:
    """Asks for a refresh of PATHS whenever ROSTRUM_REFRESH_SCHEDULE says so, until it is stopped.

    PATHS are as those of `rostrum refresh`. Run one beat: a refresh that is due while one is at work is left
    out, and one that no worker takes within five minutes too.

    \b
    Example:
      rostrum beat --mirror
    """
    from rostrum.assemble import open_beat

    settings = settings_of()
    serving = open_beat(settings, RefreshRequest(paths, kind, mirror))
    told = f"ready: asks for a refresh at {settings.refresh_schedule}"
    serving.serve(lambda: messages().print(told, soft_wrap=True))
