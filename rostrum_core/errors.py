"""Define every error Rostrum raises.

RostrumError
├── BadInput         the caller's request or options are invalid
├── TranscriptError  a transcript file cannot be read (names file and line)
│   └── PassedOver   an input is skipped without losing a speech: a picture, an empty file
│       └── ReadingRemark  a speech is read, except for some metadata: a field, an impossible date
├── StoreError       the archive cannot be read or written
│   ├── ArchiveBusy  another writer holds the archive's lock
│   │   └── Overtaken  another writer has published since this one began
│   ├── Withheld     a complete generation is not published: saved drafts lost their top results
│   ├── NothingPublished  the archive has no generation to read yet
│   ├── NoSuchGeneration  no generation has this name or precedes the published one (a BadInput too)
│   └── DocumentRefused   the store rejects a document (names it)
├── TaskError        model work failed, in whole or in part
│   ├── DeadlineExceeded  the request's timeout expired before the work was done
│   └── RedisAway    Redis, which keeps jobs and carries work to workers, cannot be used
│       └── RedisFull  Redis has no room for another message
├── ModelError       weights are missing, damaged or made for other models
└── Abandoned        nobody waits for the result any more
"""

from __future__ import annotations


class RostrumError(Exception):
    """Root of all errors raised on purpose."""


class BadInput(RostrumError):
    """The caller's request or options are invalid; `field` names the invalid field or option, if known."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class TranscriptError(RostrumError):
    """A transcript cannot be read: `file`, `line` (from 1, or None) and `reason` say where and why."""

    def __init__(self, file: str, reason: str, *, line: int | None = None) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {reason}")
        self.file, self.line, self.reason = file, line, reason


class PassedOver(TranscriptError):
    """An input is skipped without losing a speech: a picture among transcripts, an empty file."""


class ReadingRemark(PassedOver):
    """A speech is read, but some of its metadata is not: a misspelt field, a date in the future."""


class StoreError(RostrumError):
    """The archive cannot be read or written."""


class ArchiveBusy(StoreError):
    """Another writer holds the archive's lock, or has published meanwhile. The caller may retry."""


class Overtaken(ArchiveBusy):
    """Another writer has published since this one began. The caller may start the same run again."""


class Withheld(StoreError):
    """A complete generation (state of the archive) or a version of the models is not published, because saved
    drafts would lose their top results with it.

    `generation` is the name of the generation or version. An operator may publish it all the same.
    """

    def __init__(self, message: str, generation: str) -> None:
        super().__init__(message)
        self.generation = generation


class NothingPublished(StoreError):
    """The archive has nothing to read yet, because nothing has been indexed and published."""


class NoSuchGeneration(StoreError, BadInput):
    """No complete generation (state of the archive) has the requested name, or none precedes the published
    one.
    """


class DocumentRefused(StoreError):
    """The store rejects the document `document_id`, for `reason`. Other documents are not affected."""

    def __init__(self, document_id: str, reason: str) -> None:
        super().__init__(f"the archive refuses the document {document_id!r}: {reason}")
        self.document_id, self.reason = document_id, reason


class TaskError(RostrumError):
    """Model work failed, in whole or in part."""


class DeadlineExceeded(TaskError):
    """The request's timeout expired before the work was done."""


class RedisAway(TaskError):
    """Redis, which keeps jobs and carries work to workers, cannot be used."""


class RedisFull(RedisAway):
    """Redis has no room for another message: its `maxmemory` is reached."""


class ModelError(RostrumError):
    """Weights are missing, damaged or made for other models."""


class Abandoned(RostrumError):
    """Nobody waits for the result any more, so the work for it ends."""
