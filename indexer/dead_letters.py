"""Record the errors of a run as "dead letters", one JSON line per error, so that the run can continue."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rostrum_core.errors import PassedOver, ReadingRemark, TranscriptError
from rostrum_core.refresh_jobs import LetterClass

DEAD_LETTERS = "dead-letters.jsonl"  # in the archive's folder, unless configured otherwise
# Match what varies between letters of the same reason: quotations, numbers, the text after a colon.
DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![\w-])\d+(?![\w-])|: .*")
# Count at most this many kinds of reasons: a hostile file could add one with each line.
MOST_REASONS = 1_000
OTHER = "other reasons"


class DeadLetters:
    """Append each error of a run to the file `path` as a JSON line (a dead letter) with five keys.

    They are `{file, line, class, reason, at}`. `file` is an absolute path, or the id of a document that the
    store refused. `line` counts from 1 and is null if the error concerns the whole file. `class` is "refused"
    if a speech may be lost, "passed over" if the file has no speech, or "remark" if the speech was read
    without some of its metadata. `at` is UTC.

    `path` holds the dead letters of one run only. At the first error of this run, or at its end, those of the
    previous run are moved to the file `set_aside`. `count` is the number of errors with the class "refused".

    Call the object with each `TranscriptError`, for example as the callback `refused` of
    `indexer.ingest.read`. If a line cannot be written, the run continues, and `unwritten` is called with the
    `TranscriptError` and the `OSError`.
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
        """Return the number of errors in this run with the class "refused": those that may cost a speech."""
        return self._kinds["refused"].total()

    def __call__(self, error: TranscriptError) -> None:
        """Append an error to the file of dead letters, and count its reason."""
        letter_class = classify_error(error)
        kinds = self._kinds[letter_class]
        kind = strip_details(error.reason)
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
        """Move the dead letters of the previous run to `set_aside`, unless this run has already done so."""
        with suppress(OSError):
            self._begin()

    def count_reasons(self, most: int, letter_class: LetterClass = "refused") -> list[tuple[int, str]]:
        """Count the reasons of a class of errors in this run: return (count, reason), most frequent first.

        Reasons that differ only in details, such as a number, count as the same. At most `most` reasons are
        listed. If there are more, a last pair has the count of all others.
        """
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
            with suppress(OSError):  # a partial letter would corrupt the next one
                stream.truncate(size_bytes)
            raise OSError("there is no room for it")


def classify_error(error: TranscriptError) -> LetterClass:
    """Return the class of an error by its type: "refused", "remark" or "passed over".

    >>> [classify_error(error("a", "b")) for error in (TranscriptError, ReadingRemark, PassedOver)]
    ['refused', 'remark', 'passed over']
    """
    if isinstance(error, ReadingRemark):
        return "remark"
    return "passed over" if isinstance(error, PassedOver) else "refused"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Hold one error as read back from the file.

    `letter_class` is the value of the key `class` in its JSON line.
    """

    file: str
    line: int | None
    letter_class: LetterClass
    reason: str
    at: str


def read_letters(path: Path) -> Iterator[DeadLetter]:
    """Yield the errors recorded in a file of dead letters, in order.

    Lines that cannot be parsed are skipped; a missing file yields nothing.
    """
    try:
        with path.open("rb") as lines:
            for line in lines:
                if (letter := _parse_letter(line)) is not None:
                    yield letter
    except FileNotFoundError:
        return


def strip_details(reason: str) -> str:
    """Return the reason of an error without details, so that errors of the same cause have equal reasons.

    Details are numbers, quotations and the text after a colon.

    >>> strip_details("row 17 has no text: 'a b'"), strip_details("it is empty")
    ('row … has no text', 'it is empty')
    """
    return DETAIL.sub("…", reason).strip(" …")


def _parse_letter(line: bytes) -> DeadLetter | None:
    try:
        row = json.loads(line)
        return DeadLetter(row["file"], row["line"], row["class"], row["reason"], row["at"])
    except (ValueError, KeyError, TypeError):
        return None
