"""`rostrum jobs`: list, show and cancel refresh jobs, by which a worker updates the archive."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from rostrum.cli.index import print_outcome
from rostrum.cli.options import load_settings
from rostrum.cli.terminal import count, open_messages, open_output, safe
from rostrum_core.errors import TaskError
from rostrum_core.refresh_jobs import ENDED, Job

if TYPE_CHECKING:
    from workers.background.jobs import Jobs

LOOK_S = 0.5
GONE_S = 60.0
"""Seconds to wait for a job without a worker; normally another worker resumes it within half a minute."""


@click.group(short_help="List, show and cancel refresh jobs.")
def jobs() -> None:
    """List refresh jobs, show the progress of one, or cancel it.

    \b
    Example:
      rostrum jobs list
    """


@jobs.command("list")
def list_jobs() -> None:
    """Print the jobs of the last week, the newest first.

    \b
    Example:
      rostrum jobs list
    """
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "state", "created", "documents", "paths"):
        table.add_column(heading, justify="right" if heading == "documents" else "left")
    for job in _open_jobs().list_all():
        paths = safe(" ".join(job.request.paths)) or "all"
        table.add_row(job.id, job.state, job.created_at, f"{job.progress.documents:,}", paths)
    open_output().print(table if table.rows else "there is no job: rostrum refresh")


@jobs.command()
@click.argument("id")
@click.option("--wait", is_flag=True, help="Show the progress until the job ends.")
def show(id: str, wait: bool) -> None:
    """Print the state of a job.

    \b
    Example:
      rostrum jobs show 6f0c4a52-5c38-4b0c-9d35-0a54a1a5b1a8 --wait
    """
    refresh_jobs = _open_jobs()
    if wait:
        follow(refresh_jobs, id)
    else:
        print_job(refresh_jobs.find(id))


@jobs.command()
@click.argument("id")
def cancel(id: str) -> None:
    """Cancel a job. Published generations stay, and the next refresh resumes the cancelled one.

    \b
    Example:
      rostrum jobs cancel 6f0c4a52-5c38-4b0c-9d35-0a54a1a5b1a8
    """
    job = _open_jobs().cancel(id)
    print_job(job)
    if job.state not in ENDED:
        open_messages().print("it ends within seconds, unless it is publishing already", soft_wrap=True)


def follow(refresh_jobs: Jobs, job_id: str) -> None:
    """Wait for the end of a refresh job, showing its progress, and print its outcome.

    Raises:
        TaskError: the job has no worker, and no other worker resumes it.
        Exit: with code 1 if the job failed, was cancelled, or an input was refused.
    """
    try:
        job = _wait_for_end(refresh_jobs, job_id)
    except KeyboardInterrupt:
        open_messages().print(f"the job goes on: rostrum jobs show {job_id}", soft_wrap=True)
        raise
    print_job(job)
    if job.state != "done" or (job.outcome and job.outcome.report.refused):
        raise click.exceptions.Exit(1)


def print_job(job: Job) -> None:
    """Print the state of a refresh job in a few lines."""
    console = open_output()
    retried = f" after {job.attempts} attempts" if job.attempts > 1 else ""
    console.print(f"job {job.id}: {job.state}{retried}", soft_wrap=True)
    if job.outcome is not None:
        where = "see the dead letters of the worker"
        mirror = job.request.mirror
        print_outcome(job.outcome, where, console, mirror=mirror)
        if job.outcome.unwritten:
            message = (
                f"{job.outcome.unwritten:,} dead letters had no room in their file: see the worker's log"
            )
            console.print(message, soft_wrap=True)
    elif job.state not in ("waiting", "failed"):
        console.print(_format_progress(job), soft_wrap=True)
    if job.error is not None:
        console.print(safe(job.error), soft_wrap=True)


def _wait_for_end(refresh_jobs: Jobs, job_id: str) -> Job:
    console = open_messages()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        bar, seen = shown.add_task("waiting", total=None), time.monotonic()
        while (job := refresh_jobs.find(job_id)).state not in ENDED:
            seen = time.monotonic() if job.state != "interrupted" else seen
            if time.monotonic() > seen + GONE_S:
                message = "no worker is at work on it; it goes on with the next one of the queue refresh"
                raise TaskError(f"job {job_id} was interrupted: {message}")
            shown.update(bar, description=f"{job.state}: {_format_progress(job)}")
            time.sleep(LOOK_S)
        return job


def _format_progress(job: Job) -> str:
    done = job.progress
    encoded = f"{done.encoded:,} of {done.to_encode:,} encoded"
    return f"{count(done.documents, 'document')}, {count(done.paragraphs, 'paragraph')} written, {encoded}"


def _open_jobs() -> Jobs:
    from rostrum.assemble import open_jobs

    return open_jobs(load_settings())
