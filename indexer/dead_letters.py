"""What a run could not read, one JSON line each: the run goes on, and nothing is lost silently."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from rostrum_core.errors import PassedOver, ReadingRemark, TranscriptError
from rostrum_core.refresh_jobs import LetterClass

DEAD_LETTERS = "dead-letters.jsonl"  # in the archive's folder, unless named otherwise
# What differs from letter to letter of one reason: what is quoted, a number, what a colon leads to.
DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![\w-])\d+(?![\w-])|: .*")
# So many kinds of reasons are counted apart: a hostile file could bring one more with each line.
MOST_REASONS = 1_000
OTHER = "other reasons"


class DeadLetters:
    """Append `{file, line, class, reason, at}` to `path`, which holds the letters of one run.

    The letters of the run before are moved to `set_aside` at the first letter, or by `end_run`.

    A `class` is "refused" (a speech may be lost), "passed over" (a file that holds no speech) or "remark"
    (the speech was read, without something that its file says). `count` is the number of those refused.

    Call it with each `TranscriptError`: it fits `indexer.ingest.read(refused=...)`. `line` counts from 1
    and is null if the whole file is meant; of a document that the archive refused, `file` is the id, of
    any other an absolute path; `at` is UTC. A letter that cannot be written is passed to `unwritten` with
    the reason, and the run goes on.
    """

    def __init__(
        self, path: Path, unwritten: Callable[[TranscriptError, OSError], None] = lambda letter, why: None
    ) -> None:
        self.path, self.unwritten = path, unwritten
        self.set_aside = path.with_name(f"{path.name}.1")
        self._begun = False
        self._kinds: dict[LetterClass, Counter[str]] = {
            "refused": Counter(),
            "passed over": Counter(),
            "remark": Counter(),
        }

    @property
    def count(self) -> int:
        """How many letters are of a file or a row that may hold a speech."""
        return self._kinds["refused"].total()

    def __call__(self, error: TranscriptError) -> None:
        """Append one letter; each is on disk, whole, before the run goes on."""
        letter_class = class_of(error)
        kinds = self._kinds[letter_class]
        kind = DETAIL.sub("…", error.reason).strip(" …")
        kinds[kind if kind in kinds or len(kinds) < MOST_REASONS else OTHER] += 1
        letter = {
            "file": os.path.abspath(error.file) if os.path.lexists(error.file) else error.file,
            "line": error.line,
            "class": letter_class,
            "reason": error.reason,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        try:
            self._begin()
            self._append(json.dumps(letter).encode("ascii") + b"\n")
        except OSError as why:
            self.unwritten(error, why)

    def end_run(self) -> None:
        """Set aside the letters of the run before, if this one has written none."""
        with suppress(OSError):
            self._begin()

    def reasons(self, most: int, letter_class: LetterClass = "refused") -> list[tuple[int, str]]:
        """Count each kind of reason of a class, the most frequent first; those beyond `most` as one."""
        kinds = self._kinds[letter_class]
        listed = kinds.most_common(most)
        rest = kinds.total() - sum(count for _, count in listed)
        return [(count, kind) for kind, count in listed] + ([(rest, OTHER)] if rest else [])

    def _begin(self) -> None:
        if not self._begun and self.path.is_file():
            self.path.replace(self.set_aside)
        self._begun = True

    def _append(self, line: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab", buffering=0) as stream:
            size_bytes = stream.tell()
            if stream.write(line) == len(line):
                return
            with suppress(OSError):  # half a letter would spoil the next one
                stream.truncate(size_bytes)
            raise OSError("there is no room for it")


def class_of(error: TranscriptError) -> LetterClass:
    """Return the class of the letter that an error becomes.

    >>> class_of(TranscriptError("a", "b")), class_of(ReadingRemark("a", "b")), class_of(PassedOver("a", "b"))
    ('refused', 'remark', 'passed over')
    """
    if isinstance(error, ReadingRemark):
        return "remark"
    return "passed over" if isinstance(error, PassedOver) else "refused"
