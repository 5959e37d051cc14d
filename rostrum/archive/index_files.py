"""Transcript files into the archive, for whoever asks: a command, or a job of a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from indexer.dead_letters import DeadLetters
from indexer.ingest import read
from indexer.speaker_tags import name_of
from rostrum.archive.cleaning_rules import boilerplate
from rostrum.archive.service import Service
from rostrum_core.refresh_jobs import LetterClass, Outcome, Progress, Report
from rostrum_core.types import Document

MOST_REASONS = 10  # kinds of reasons per class that are listed; the others are counted as one
CLASSES: tuple[LetterClass, ...] = ("refused", "passed over", "remark")


def index(
    service: Service,
    paths: Sequence[Path],
    letters: DeadLetters,
    *,
    root: Path | None = None,
    kind: str | None = None,
    fresh: bool = False,
    mirror: bool = False,
    rules: Path | None = None,
    on_file: Callable[[Path], None] = lambda path: None,
    on_document: Callable[[Document], Document] = lambda document: document,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Report:
    """Brings the archive up to date with the transcripts in `paths`; what is refused goes to `letters`.

    A speech is called by its place within `root`, or within the path that it was found in. `rules` is a file
    of rules for boilerplate that extends the shipped ones. Neither the archive's folder nor the dead letters
    are read, where they lie among `paths`. `on_file` and `on_document` are called with each.

    Raises:
        BadInput: a path is not there, nothing is left to read, the kind is unknown, or a rule is none.
        ArchiveBusy, StoreError, TaskError: as `rostrum.archive.refresh.refresh`.
    """
    documents = read(
        paths,
        root=root,
        kind=kind,
        refused=letters,
        on_file=on_file,
        leave_out=left_out(service, letters),
        boilerplate=boilerplate(rules),
    )
    missing = Missing()
    report = service.refresh(
        map(on_document, map(missing.count, documents)),
        fresh=fresh,
        mirror=mirror,
        refused=lambda: letters.count,
        refuse=letters,
        progress=progress,
    )
    letters.end_run()
    return replace(report, without_speaker=missing.speakers, without_date=missing.dates)


class Missing:
    """Count the documents of which nobody knows who speaks, or when."""

    def __init__(self) -> None:
        self.speakers, self.dates = 0, 0

    def count(self, document: Document) -> Document:
        """Count what is not known of a document, and return it."""
        named = (name_of(mark.text) for mark in document.marks if mark.kind == "speaker")
        self.speakers += not document.speaker and not any(named)
        self.dates += not document.spoken_on
        return document


def outcome_of(report: Report, letters: DeadLetters, unwritten: int = 0) -> Outcome:
    """Return what a run did, with the most frequent reasons of its dead letters."""
    refused, passed_over, remarks = (
        tuple(letters.reasons(MOST_REASONS, letter_class)) for letter_class in CLASSES
    )
    return Outcome(report, refused, unwritten, passed_over, remarks)


def left_out(service: Service, letters: DeadLetters) -> tuple[Path, ...]:
    """What a run itself writes, and so does not read."""
    return service.settings.archive, letters.path, letters.set_aside
