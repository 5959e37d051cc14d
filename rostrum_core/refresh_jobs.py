"""Refresh jobs: what somebody asks a worker for, how far it is, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

JobState = Literal["waiting", "running", "interrupted", "done", "failed", "cancelled"]
LetterClass = Literal["refused", "passed over", "remark"]
ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh is: documents read, paragraphs written, paragraphs encoded since its start.

    `to_encode` counts the paragraphs of the documents read so far whose text is new.
    """

    documents: int = 0
    paragraphs: int = 0
    encoded: int = 0
    to_encode: int = 0


@dataclass(frozen=True, slots=True)
class RefreshRequest:
    """Which transcripts the archive is brought up to date with, as `rostrum index` does.

    `paths` are names and patterns of files and folders within the sources of the worker; none means all of
    them. `kind` is what every file is read as. `mirror` deletes speeches that are not among them, `fresh`
    starts from an empty archive.
    """

    paths: tuple[str, ...] = ()
    kind: str | None = None
    mirror: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a refresh did.

    Documents: `added`, `replaced` by another version, `renewed` (the same, written anew), `unchanged`,
    `deleted`, `repeated` (a second one of the same id, left out). `paragraphs` were written, of which
    `encode_job` were encoded and `reused` had their encoding already. `refused` inputs could not be read.
    `generation` is the one published, `None` where nothing changed. Of the documents that were read, of
    `without_speaker` nobody is known to hold the floor, and `without_date` have no date.
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


Reasons = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a refresh did, and how often each reason came among its dead letters.

    `reasons` are of what was refused, `passed_over` of files without speech, `remarks` of speeches that were
    read without something. `unwritten` dead letters had no room in their file and stand in the worker's log.
    """

    report: Report
    reasons: Reasons = ()
    unwritten: int = 0
    passed_over: Reasons = ()
    remarks: Reasons = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A refresh as it stands. Moments are UTC.

    `state`: "waiting" for a worker, "running", "interrupted" where its worker is gone, or none came, and no
    other has taken it up yet; "done", "failed" (`error` says why) or "cancelled" once it is over. `attempts`
    counts the workers that took it. `progress` counts from the last of them on.
    """

    id: str
    request: RefreshRequest
    created_at: str
    state: JobState = "waiting"
    attempts: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    progress: Progress = Progress()
    outcome: Outcome | None = None
    error: str | None = None


def encode_job(job: Job) -> str:
    """The job as JSON."""
    return json.dumps(asdict(job))


def decode_job(text: str | bytes) -> Job:
    """The job that `encode_job` was given.

    >>> job = Job("a", RefreshRequest(("2024/*.txt",)), "2026-01-01T00:00:00+00:00")
    >>> decode_job(encode_job(job)) == job
    True
    """
    told = json.loads(text)
    told["request"]["paths"] = tuple(told["request"]["paths"])
    told["request"] = RefreshRequest(**told["request"])
    told["progress"] = Progress(**told["progress"])
    if (outcome := told["outcome"]) is not None:
        reasons = (_read_reasons(outcome, name) for name in ("reasons", "passed_over", "remarks"))
        refused, passed_over, remarks = reasons
        report = Report(**outcome["report"])
        told["outcome"] = Outcome(report, refused, outcome["unwritten"], passed_over, remarks)
    return Job(**told)


def _read_reasons(outcome: Mapping[str, Any], name: str) -> Reasons:
    return tuple((count, reason) for count, reason in outcome.get(name, ()))
