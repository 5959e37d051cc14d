"""Every error Rostrum raises.

RostrumError
├── BadInput         the caller's request or options cannot be served as given
├── TranscriptError  a transcript file cannot be read (names file and line)
│   └── PassedOver   something is not read by which no speech is lost: a picture, an empty file
│       └── ReadingRemark  a speech is read, without something: a field, a date that cannot be
├── StoreError       the archive cannot be read or written
│   ├── ArchiveBusy  another writer is at work on it
│   │   └── Overtaken  or has published since this one began
│   ├── NothingPublished  there is no generation to read yet
│   ├── NoSuchGeneration  none of this name, or none before the published one (a BadInput too)
│   └── DocumentRefused  it does not keep a document as it is (names it)
├── TaskError        model work did not come back, or not all of it
│   ├── DeadlineExceeded  the time of the request was up before it was done
│   └── RedisAway    Redis, which keeps jobs and carries work to workers, cannot be used
│       └── RedisFull  it has no room for another message
└── ModelError       weights are missing, damaged or foreign
"""

from __future__ import annotations


class RostrumError(Exception):
    """Root of all errors raised on purpose."""


class BadInput(RostrumError):
    """The caller's request cannot be served as given; `field` names the culprit where there is one."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class TranscriptError(RostrumError):
    """A transcript cannot be read: where (`file`, `line` from 1 or None) and why (`reason`)."""

    def __init__(self, file: str, reason: str, *, line: int | None = None) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {reason}")
        self.file, self.line, self.reason = file, line, reason


class PassedOver(TranscriptError):
    """Something is not read, and no speech is lost by it: a picture among transcripts, an empty file."""


class ReadingRemark(PassedOver):
    """A speech is read, but not all that its file says of it: a misspelt field, a date in the future."""


class StoreError(RostrumError):
    """The archive cannot be read or written."""


class ArchiveBusy(StoreError):
    """Another writer is at work on the archive, or has published meanwhile: it can be tried again."""


class Overtaken(ArchiveBusy):
    """Another writer has published since this one looked: the same run, begun again, is not in its way."""


class NothingPublished(StoreError):
    """The archive has no generation to read yet."""


class NoSuchGeneration(StoreError, BadInput):
    """There is no complete generation of the name that was asked for, or none before the published one."""


class DocumentRefused(StoreError):
    """The archive does not keep the document `document_id` as it is, and why; others are none the worse."""

    def __init__(self, document_id: str, reason: str) -> None:
        super().__init__(f"the archive refuses the document {document_id!r}: {reason}")
        self.document_id, self.reason = document_id, reason


class TaskError(RostrumError):
    """Model work did not come back, or not all of it."""


class DeadlineExceeded(TaskError):
    """The time of the request was up before the work was done."""


class RedisAway(TaskError):
    """Redis, which keeps jobs and carries work to workers, cannot be used."""


class RedisFull(RedisAway):
    """Redis has no room for another message: its `maxmemory` is reached."""


class ModelError(RostrumError):
    """Weights are missing, damaged or foreign."""
