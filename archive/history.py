"""Record the events of an archive, such as refreshes and deletions, as JSON lines, so that they survive
restarts.

The file `history.jsonl` is in the folder of the setting `archive`. When it exceeds `MOST_BYTES`, it is
renamed to `history.jsonl.1` and a new one is started.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from rostrum_core.refresh_jobs import Report

HISTORY = "history.jsonl"
MOST_BYTES = 4 << 20
LONGEST_LINE = 8_000
"""Most characters of an event. The text of an error is cut, so that each line is one write."""

EventKind = Literal["refresh", "upload", "deletion", "publication", "models", "canary"]
EventOutcome = Literal["published", "unchanged", "withheld", "failed", "interrupted", "done"]
NAMED = 20
"""Most ids of deleted documents in an event."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Hold an event of an archive, such as a refresh: its kind, its outcome, and details.

    `generation` is the name of the generation (version of the archive) that readers see after the event.
    `message` is a sentence for readers, such as the text of an error. `facts` are numbers and names that
    depend on the kind, as JSON values. `at` is the time of the event, in UTC.
    """

    kind: EventKind
    outcome: EventOutcome
    generation: str | None = None
    message: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    at: str = ""


class History:
    """Append events to the history in a folder, and read them."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / HISTORY

    def append(self, event: Event) -> None:
        """Append an event with the current UTC time.

        If the folder is not writable, the event is lost and a warning is logged.
        """
        at = datetime.now(UTC).isoformat(timespec="seconds")
        row = asdict(event) | {"at": at, "message": event.message[:LONGEST_LINE]}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > MOST_BYTES:
                self.path.replace(self.path.with_name(f"{HISTORY}.1"))
            with self.path.open("ab", buffering=0) as stream:
                stream.write(json.dumps(row).encode("ascii") + b"\n")
        except OSError as error:
            LOG.warning("the history was not written: %s", error)

    def read(self, limit: int = 100) -> list[Event]:
        """Return the `limit` newest events, newest first; skip unreadable lines."""
        return list(islice(self._iterate_events(), limit))

    def _iterate_events(self) -> Iterator[Event]:
        for path in (self.path, self.path.with_name(f"{HISTORY}.1")):
            try:
                lines = path.read_bytes().splitlines()
            except OSError:
                continue
            for line in reversed(lines):
                if (event := _parse(line)) is not None:
                    yield event


def record_deletion(folder: Path, document_ids: Sequence[str], generation: str) -> None:
    """Record in an archive's history that documents were deleted, with at most `NAMED` of their ids.

    `folder` is the folder with the history.
    """
    ids = list(dict.fromkeys(document_ids))
    message = ", ".join(ids[:NAMED])
    facts = {"deleted": len(ids), "added": 0}
    History(folder).append(Event("deletion", "published", generation, message, facts))


def record_upload(folder: Path, report: Report) -> None:
    """Record in the history of a folder that documents were uploaded, with the report of their refresh."""
    outcome: EventOutcome = "published" if report.generation else "unchanged"
    History(folder).append(Event("upload", outcome, report.generation, facts=asdict(report)))


def _parse(line: bytes) -> Event | None:
    try:
        return Event(**json.loads(line))
    except (ValueError, TypeError):
        return None
