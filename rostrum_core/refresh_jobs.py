"""Define the types of refresh jobs, which update an archive from transcripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

JobState = Literal["waiting", "running", "interrupted", "done", "failed", "cancelled"]
LetterClass = Literal["refused", "passed over", "remark"]
ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Progress:
    """Count the progress of a refresh: documents read, paragraphs written and paragraphs encoded since its
    start.

    `to_encode` counts the paragraphs with new text in the documents read so far. Of `total_bytes` in the
    files, `read_bytes` were read so far; both are 0 if bytes are not counted.
    """

    documents: int = 0
    paragraphs: int = 0
    encoded: int = 0
    to_encode: int = 0
    read_bytes: int = 0
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class RefreshRequest:
    """Hold a request to update the archive from transcripts, with the options of `rostrum index`.

    `paths` are names and patterns of files and folders within the sources of the worker; an empty tuple means
    all of them. `kind` is the format of every file. `mirror` deletes speeches that are not in these files.
    `fresh` starts from an empty archive. `fields` maps names of columns and fields in the files, in any case,
    to the usual names: `{"body": "text"}`.
    """

    paths: tuple[str, ...] = ()
    kind: str | None = None
    mirror: bool = False
    fresh: bool = False
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """Report the results of a refresh.

    Counts of documents: `added`, `replaced` by another version, `renewed` (unchanged but written again),
    `unchanged`, `deleted`, `repeated` (skipped because of a duplicate id). Counts of written `paragraphs`:
    `encoded` by the model, `reused` with an existing encoding. `refused` inputs could not be read.

    `generation` is the published one, `None` if nothing changed. Of the documents read, `without_speaker`
    have no known speaker, and `without_date` have no date. `canary` describes how the top results of the
    saved drafts changed; `None` if they were not compared.
    """

    added: int
    replaced: int
    renewed: int
    unchanged: int
    deleted: int
    repeated: int
    paragraphs: int
    encoded: int
    reused: int
    refused: int
    elapsed_s: float
    generation: str | None
    without_speaker: int = 0
    without_date: int = 0
    canary: str | None = None


Reasons = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class RefreshOutcome:
    """Hold the report of a refresh, and count its dead letters by reason.

    A dead letter records an input that was not read, or not completely. `reasons` count rejected inputs,
    `passed_over` files without a speech, and `remarks` speeches that were read without some metadata.
    `unwritten` dead letters did not fit into their file; the worker's log has them.
    """

    report: Report
    reasons: Reasons = ()
    unwritten: int = 0
    passed_over: Reasons = ()
    remarks: Reasons = ()


@dataclass(frozen=True, slots=True)
class Job:
    """Describe the current state of a refresh. Times are UTC.

    `state` is "waiting" for a worker, "running", or "interrupted" (no worker is running the job, and none has
    resumed it yet). A finished job is "done", "failed" (`error` says why) or "cancelled". `attempts` counts
    the workers that took the job. `progress` starts at 0 with each worker; the current one took the job at
    `taken_at`.
    """

    id: str
    request: RefreshRequest
    created_at: str
    state: JobState = "waiting"
    attempts: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    progress: Progress = Progress()
    outcome: RefreshOutcome | None = None
    error: str | None = None
    taken_at: str | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """Estimate the speed of a running job: paragraphs and documents per second, and the seconds left.

    `left_s` is `None` as long as it cannot be estimated.
    """

    paragraphs_per_s: float
    documents_per_s: float
    left_s: float | None


def estimate_pace(progress: Progress, elapsed_s: float) -> Pace | None:
    """Return the speed of a run after `elapsed_s` seconds; `None` in the first second.

    Encoding takes nearly all of the time. So once there are paragraphs to encode, the remaining time is
    estimated from their number. The number of paragraphs in unread files is estimated from the bytes. In the
    first example, half of the bytes are read and have 200 paragraphs to encode, so 400 are expected. 100 of
    them are encoded after 10 seconds, so 30 seconds are left. In the second example, nothing is to be encoded
    so far: half of the bytes took 10 seconds, and so will the other half.

    >>> estimate_pace(Progress(10, 80, 100, 200, read_bytes=50, total_bytes=100), 10.0)
    Pace(paragraphs_per_s=10.0, documents_per_s=1.0, left_s=30.0)
    >>> estimate_pace(Progress(10, 0, 0, 0, read_bytes=50, total_bytes=100), 10.0).left_s
    10.0
    """
    if elapsed_s < 1:
        return None
    share = progress.read_bytes / progress.total_bytes if progress.total_bytes else 0.0
    left_s = None
    if progress.encoded and share:
        total = max(progress.to_encode, progress.to_encode / share)
        left_s = elapsed_s * (total - progress.encoded) / progress.encoded
    elif share and not progress.to_encode:
        left_s = elapsed_s * (1 - share) / share
    return Pace(progress.encoded / elapsed_s, progress.documents / elapsed_s, left_s)


def encode_job(job: Job) -> str:
    """Return a job as JSON."""
    return json.dumps(asdict(job))


def decode_job(text: str | bytes) -> Job:
    """Return the job that was passed to `encode_job`.

    >>> job = Job("a", RefreshRequest(("2024/*.txt",)), "2026-01-01T00:00:00+00:00")
    >>> decode_job(encode_job(job)) == job
    True
    """
    values = json.loads(text)
    values["request"]["paths"] = tuple(values["request"]["paths"])
    values["request"] = RefreshRequest(**values["request"])
    values["progress"] = Progress(**values["progress"])
    if (outcome := values["outcome"]) is not None:
        reasons = (_read_reasons(outcome, name) for name in ("reasons", "passed_over", "remarks"))
        refused, passed_over, remarks = reasons
        report = Report(**outcome["report"])
        values["outcome"] = RefreshOutcome(report, refused, outcome["unwritten"], passed_over, remarks)
    return Job(**values)


def _read_reasons(outcome: Mapping[str, Any], name: str) -> Reasons:
    return tuple((count, reason) for count, reason in outcome.get(name, ()))
