"""Index transcript files; the command `rostrum index` and refresh jobs use this module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from archive.canary.gate import CanaryGate, has_canary
from archive.cleaning_rules import load_boilerplate
from archive.history import Event, EventOutcome, History
from archive.refresh import Observer, RefreshOptions
from archive.service import Service
from indexer.dead_letters import DeadLetters
from indexer.ingest import read
from indexer.metadata import NOT_RENAMED
from indexer.speaker_tags import extract_name
from rostrum_core.errors import RostrumError, Withheld
from rostrum_core.refresh_jobs import LetterClass, RefreshOutcome, Report
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
    rules: Path | None = None,
    fields: Mapping[str, str] = NOT_RENAMED,
    options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
    observer: Observer = Observer(),  # noqa: B008  frozen
    dry_run: bool = False,
    main_archive: Path | None = None,
) -> Report:
    """Update the archive from the transcripts in `paths`; record in `letters` those that cannot be read.

    A document without an id is identified by its path relative to `root`, by default to the entry of `paths`
    that contains it. `kind` is the format of all files; by default the suffix decides. The file `rules`
    extends the shipped boilerplate rules. `fields` maps column or field names in the files to the usual
    names. The archive's folder and the file of `letters` are never read, even if they lie in `paths`, nor is
    `main_archive`, the folder of the main archive if the archive of `service` is a named one. The observer's
    `refuse` and `count_refused` are replaced: `letters` records and counts refused inputs. With `dry_run`,
    the archive is not changed, and only `letters` are written.

    Raises:
        BadInput: a path does not exist, there is nothing to read, or the kind or a rule is invalid.
        ArchiveBusy, StoreError, TaskError: as `archive.refresh.refresh`.
    """
    documents = read(
        paths,
        root=root,
        kind=kind,
        refused=letters,
        on_file=observer.on_file,
        leave_out=list_left_out(service, letters, main_archive),
        boilerplate=load_boilerplate(rules),
        fields=fields,
    )
    watching = replace(observer, count_refused=lambda: letters.count, refuse=letters)
    missing = MissingFields()
    announced = _announce(documents, observer, missing)
    if dry_run:
        report = service.preview(announced, options, watching)
    else:
        report = _refresh(service, announced, letters, options, watching)
    letters.end_run()
    return replace(report, without_speaker=missing.speakers, without_date=missing.dates)


def _refresh(
    service: Service,
    documents: Iterable[Document],
    letters: DeadLetters,
    options: RefreshOptions,
    observer: Observer,
) -> Report:
    """Refresh the archive, and record the run and its outcome in the history.

    If there are saved drafts, they are compared before the publication, and may block it.
    """
    gate, history = CanaryGate(service), History(service.settings.archive)
    if has_canary(service.settings, service.store.writer()):
        observer = replace(observer, on_complete=gate.check)
    try:
        report = service.refresh(documents, options, observer)
    except Withheld as error:
        history.append(Event("refresh", "withheld", error.generation, str(error)))
        raise
    except RostrumError as error:
        history.append(Event("refresh", "failed", message=str(error), facts=_count_causes(letters)))
        raise
    except BaseException:
        history.append(Event("refresh", "interrupted", facts=_count_causes(letters)))
        raise
    if gate.comparison is not None:
        report = replace(report, canary=gate.comparison.describe())
    outcome: EventOutcome = "published" if report.generation else "unchanged"
    facts = asdict(report) | _count_causes(letters)
    history.append(Event("refresh", outcome, report.generation, report.canary or "", facts))
    return report


def _count_causes(letters: DeadLetters) -> dict[str, Any]:
    """Return the most frequent reasons in the dead letters (the errors of a run), by class, for
    the history.
    """
    return {
        "causes": {
            name: letters.count_reasons(MOST_REASONS, name)
            for name in CLASSES
            if letters.count_reasons(1, name)
        }
    }


def _announce(
    documents: Iterable[Document], observer: Observer, missing: MissingFields
) -> Iterator[Document]:
    for document in documents:
        missing.count(document)
        observer.on_document(document)
        yield document


class MissingFields:
    """Count the documents that lack a speaker or a date."""

    def __init__(self) -> None:
        self.speakers, self.dates = 0, 0

    def count(self, document: Document) -> None:
        """Count a document if it lacks a speaker, and if it lacks a date."""
        named = (extract_name(mark.text) for mark in document.marks if mark.kind == "speaker")
        self.speakers += not document.speaker and not any(named)
        self.dates += not document.spoken_on


def build_outcome(report: Report, letters: DeadLetters, unwritten: int = 0) -> RefreshOutcome:
    """Build the outcome of a run: its report, and the most frequent reasons in its dead letters.

    `unwritten` is the number of dead letters that could not be written to their file.
    """
    refused, passed_over, remarks = (
        tuple(letters.count_reasons(MOST_REASONS, letter_class)) for letter_class in CLASSES
    )
    return RefreshOutcome(report, refused, unwritten, passed_over, remarks)


def list_left_out(
    service: Service, letters: DeadLetters, main_archive: Path | None = None
) -> tuple[Path, ...]:
    """Return the paths that Rostrum itself writes and that a run therefore must not read as transcripts.

    `main_archive` is the folder of the main archive if the archive of `service` is a named one.
    """
    folders = (
        (service.settings.archive,) if main_archive is None else (service.settings.archive, main_archive)
    )
    return *folders, letters.path, letters.set_aside
