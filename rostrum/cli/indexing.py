"""One run over transcript files: reading, refreshing, and the bar that shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from indexer.dead_letters import DeadLetters
from indexer.metadata import NOT_RENAMED
from indexer.walk import files
from rostrum.archive.index_files import index, left_out
from rostrum.archive.refresh import Observer, RefreshOptions
from rostrum.archive.service import Service
from rostrum.cli.terminal import messages
from rostrum_core.refresh_jobs import Progress as Refreshed
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Document


def indexed(
    service: Service,
    paths: Sequence[Path],
    refused: DeadLetters,
    *,
    kind: str | None = None,
    rules: Path | None = None,
    fields: Mapping[str, str] = NOT_RENAMED,
    options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
) -> Report:
    """Run `rostrum.archive.index_files.index` with a bar that shows how far it is."""
    bar = Bar(paths, left_out(service, refused))
    with bar.shown:
        return index(
            service,
            paths,
            refused,
            kind=kind,
            rules=rules,
            fields=fields,
            options=options,
            observer=Observer(on_file=bar.on_file, on_document=bar.on_document, on_progress=bar.on_progress),
        )


class Bar:
    """Files, paragraphs encoded per second and the time left, on standard error if that is a terminal.

    The time left is told by bytes; within a file, a character read counts as one.
    """

    def __init__(self, paths: Sequence[Path], leave_out: Collection[Path] = ()) -> None:
        console = messages()
        self.shown = Progress(
            TextColumn("file {task.fields[file]} of {task.fields[files]}"),
            BarColumn(),
            TextColumn("{task.fields[encoded]} paragraphs encoded, {task.fields[rate]:.0f}/s"),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        sizes = list(map(size_bytes, found_in(paths, leave_out))) if console.is_terminal else []
        self.task = self.shown.add_task("", total=sum(sizes), file=0, files=len(sizes), encoded=0, rate=0.0)
        self.file, self.before, self.size, self.within = 0, 0, 0, 0
        self.started = time.monotonic()

    def on_file(self, path: Path) -> None:
        """The next file is read."""
        self.before += self.size
        self.file, self.size, self.within = self.file + 1, size_bytes(path), 0
        self.shown.update(self.task, file=self.file, completed=self.before)

    def on_document(self, document: Document) -> None:
        """Count a document."""
        self.within += len(document.text)
        self.shown.update(self.task, completed=self.before + min(self.within, self.size))

    def on_progress(self, progress: Refreshed) -> None:
        """Shows how many paragraphs are encoded."""
        rate = progress.encoded / max(time.monotonic() - self.started, 0.001)
        self.shown.update(self.task, encoded=f"{progress.encoded:,}", rate=rate)


def found_in(paths: Sequence[Path], leave_out: Collection[Path] = ()) -> list[Path]:
    """Every file that a run over `paths` will read, as far as it can be told beforehand."""
    given = [path for path in paths if path.exists()]
    return [located.path for path in given for located in files(path, lambda refused: None, leave_out)]


def size_bytes(path: Path) -> int:
    """The size of a file; 0 where there is none, such as standard input."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
