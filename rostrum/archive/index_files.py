"""Transcript files into the archive, for whoever asks: a command, or a job of a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from indexer.dead_letters import DeadLetters
from indexer.ingest import read
from rostrum.archive.cleaning_rules import boilerplate
from rostrum.archive.service import Service
from rostrum_core.refresh_jobs import Progress, Report
from rostrum_core.types import Document


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
    return service.refresh(
        map(on_document, documents),
        fresh=fresh,
        mirror=mirror,
        refused=lambda: letters.count,
        refuse=letters,
        progress=progress,
    )


def left_out(service: Service, letters: DeadLetters) -> tuple[Path, ...]:
    """What a run itself writes, and so does not read."""
    return service.settings.archive, letters.path, letters.set_aside
