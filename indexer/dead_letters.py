"""What could not be read, one JSON line each: a run goes on, and nothing is lost silently."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from rostrum.core.errors import TranscriptError


class DeadLetters:
    """Appends `{file, line, reason, at}` to `path`, which is made with the first letter; `count` is how many.

    Call it with each `TranscriptError`: it fits `indexer.ingest.read(refused=...)`. `line` counts from 1
    and is null where the whole file is meant; `at` is UTC.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0

    def __call__(self, error: TranscriptError) -> None:
        """Appends one letter; each is on disk before the run goes on.

        Raises:
            OSError: the file cannot be written.
        """
        at = datetime.now(UTC).isoformat(timespec="seconds")
        letter = {"file": error.file, "line": error.line, "reason": error.reason, "at": at}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="ascii") as stream:
            stream.write(json.dumps(letter) + "\n")
        self.count += 1
