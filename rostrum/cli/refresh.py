"""`rostrum refresh` and `rostrum beat`: index the transcripts of a worker's machine, now or by a schedule."""

from __future__ import annotations

import click

from indexer.metadata import READ_NAMES
from rostrum.cli.index import fresh_option, kind_option, map_option, mirror_option
from rostrum.cli.jobs import follow, print_job
from rostrum.cli.options import load_settings, read_fields
from rostrum.cli.terminal import open_messages
from rostrum.cli.worker import LOOPBACK, require_life
from rostrum_core.refresh_jobs import RefreshRequest


@click.command(short_help="Let a worker update the archive.")
@click.argument("paths", nargs=-1)
@kind_option
@map_option
@mirror_option
@fresh_option
@click.option(
    "--wait/--no-wait", default=True, show_default=True, help=("Show the progress until the job ends.")
)
def refresh(
    paths: tuple[str, ...], kind: str | None, mapped: tuple[str, ...], mirror: bool, fresh: bool, wait: bool
) -> None:
    """Let a worker of the queue `refresh` update the archive from PATHS.

    PATHS are names and patterns of files and folders in the worker's ROSTRUM_SOURCES; by default, everything
    there is read. Nothing is read from this machine. The job continues if you end this command, and another
    worker resumes it if its worker is killed. Only one job runs at a time. The exit code is 1 if the job
    failed or an input was refused.

    \b
    Example:
      rostrum refresh '2024/*.jsonl' --no-wait
    """
    from rostrum.assemble import open_jobs

    jobs = open_jobs(load_settings())
    job = jobs.submit(RefreshRequest(paths, kind, mirror, fresh, fields=read_fields(mapped, READ_NAMES)))
    if wait:
        follow(jobs, job.id)
    else:
        print_job(job)


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
