"""Define the types of uploads, and encode rows.

An upload is speeches that are sent in one request, and added after its response.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

import msgspec

from rostrum_core.errors import BadInput
from rostrum_core.refresh_jobs import JobState, Progress, Report


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """Describe a line or a document of an upload that was refused, with the reason.

    `line` counts from 1. This also describes a speech that was added without one of its fields; `reason` then
    names the field.
    """

    line: int | None
    reason: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class BulkReport:
    """Hold the report on the speeches of one request, and messages about the first lines with a problem.

    `refused` has the lines whose speech was not added. `passed_over` has lines that were skipped because they
    hold no speech. It also has lines whose speech was added, but without one of its fields.
    """

    report: Report
    refused: tuple[RefusedLine, ...]
    passed_over: tuple[RefusedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """Describe the current state of an upload. Times are UTC.

    `state` is "waiting" for its turn, "running", "done", "failed" (`error` says why) or "cancelled".
    `attempts` counts how often the upload was begun, because a restarted service begins unfinished uploads
    again. `result` is `None` until the upload is done. `size_bytes` is the size of the body. `fields` maps
    names of fields in the body, in lower case, to the usual names.
    """

    id: str
    created_at: str
    size_bytes: int
    state: JobState = "waiting"
    attempts: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    progress: Progress = field(default_factory=Progress)
    result: BulkReport | None = None
    error: str | None = None
    fields: dict[str, str] = field(default_factory=dict)


def decode_upload(data: bytes) -> Upload:
    """Return the upload that was encoded as JSON.

    Raises:
        msgspec.DecodeError: the data is not such a record.

    >>> upload = Upload("a", "2026-01-01T00:00:00+00:00", 12)
    >>> decode_upload(msgspec.json.encode(upload)) == upload
    True
    """
    return msgspec.json.decode(data, type=Upload)


def encode_row(row: Mapping[str, Any], number: int) -> str:
    r"""Return a row, which describes a speech, as a line of JSON. Dates are written as in "2020-01-31".

    `number` counts from 1; it is named in the error.

    Raises:
        BadInput: the row holds a value that JSON cannot hold.

    >>> encode_row({"id": "a", "date": date(2020, 1, 31)}, 1)
    '{"id": "a", "date": "2020-01-31"}\n'
    """
    try:
        return json.dumps(row, default=_encode_date) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"row {number} cannot be written as JSON: {error}", field="rows") from error


def _encode_date(value: object) -> str:
    if isinstance(value, date):  # a datetime is a date, too
        return value.isoformat()
    raise TypeError(f"a value is a {type(value).__name__}")


def list_fields(upload: Upload) -> dict[str, Any]:
    """Return the fields of an upload as a dict that can be encoded as JSON."""
    return asdict(upload)
