"""`rostrum refresh`: index the transcripts of a worker's machine, as a job."""

from __future__ import annotations

import click

from indexer.metadata import READ_NAMES
from rostrum.cli.index import fresh_option, kind_option, map_option, mirror_option
from rostrum.cli.jobs import follow, print_job
from rostrum.cli.options import load_settings, read_fields
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
