"""What could not be read, one JSON line each: a run goes on, and nothing is lost silently."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from rostrum_core.errors import PassedOver, TranscriptError

DEAD_LETTERS = "dead-letters.jsonl"  # in the archive's folder, unless told
# What differs from letter to letter of one reason: what is quoted, a number, what a colon leads to.
DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![\w-])\d+(?![\w-])|: .*")
# So many kinds of reasons are counted apart: a hostile file could bring one more with each line.
MOST_REASONS = 1_000
SET_ASIDE_BYTES = 16 << 20
OTHER = "other reasons"


class DeadLetters:
    """Appends `{file, line, reason, at}` to `path`, which is made with the first letter.

    `count` is how many tell of something that may be a speech: all but those of an `PassedOver`.

    A file of more than `SET_ASIDE_BYTES` at the first letter becomes `set_aside`, in place of the one before:
    a run every night does not fill the disk.

    Call it with each `TranscriptError`: it fits `indexer.ingest.read(refused=...)`. `line` counts from 1
    and is null where the whole file is meant; of a document that the archive refused, `file` is the id; `at`
    is UTC. A letter that cannot be written is handed to `unwritten` with the reason why not, and the run goes
    on.
    """

    def __init__(
        self, path: Path, unwritten: Callable[[TranscriptError, OSError], None] = lambda letter, why: None
    ) -> None:
        self.path, self.unwritten = path, unwritten
        self.set_aside = path.with_name(f"{path.name}.1")
        self.count = 0
        self._kinds: Counter[str] = Counter()

    def __call__(self, error: TranscriptError) -> None:
        """Appends one letter; each is on disk, whole, before the run goes on."""
        self.count += not isinstance(error, PassedOver)
        kind = DETAIL.sub("…", error.reason).strip(" …")
        self._kinds[kind if kind in self._kinds or len(self._kinds) < MOST_REASONS else OTHER] += 1
        at = datetime.now(UTC).isoformat(timespec="seconds")
        letter = {"file": error.file, "line": error.line, "reason": error.reason, "at": at}
        try:
            self._append(json.dumps(letter).encode("ascii") + b"\n")
        except OSError as why:
            self.unwritten(error, why)

    def reasons(self, most: int) -> list[tuple[int, str]]:
        """How often each kind of reason came, the most frequent first; beyond `most` of them as one."""
        told = self._kinds.most_common(most)
        rest = self._kinds.total() - sum(count for _, count in told)
        return [(count, kind) for kind, count in told] + ([(rest, OTHER)] if rest else [])

    def _append(self, line: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._kinds.total() == 1 and self.path.exists() and self.path.stat().st_size > SET_ASIDE_BYTES:
            self.path.replace(self.set_aside)
        with self.path.open("ab", buffering=0) as stream:
            size_bytes = stream.tell()
            if stream.write(line) == len(line):
                return
            with suppress(OSError):  # half a letter would spoil the next one
                stream.truncate(size_bytes)
            raise OSError("there is no room for it")
