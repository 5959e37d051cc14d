"""Index transcript files with a progress bar."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from archive.byte_counter import list_files, measure_bytes
from archive.index_files import index, list_left_out
from archive.refresh import Observer, RefreshOptions
from archive.service import Service
from indexer.dead_letters import DeadLetters
from indexer.metadata import NOT_RENAMED
from rostrum.cli.terminal import count, open_messages, safe
from rostrum_core.refresh_jobs import Progress as Refreshed
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Document


def index_with_bar(
    service: Service,
    paths: Sequence[Path],
    refused: DeadLetters,
    *,
    kind: str | None = None,
    rules: Path | None = None,
    fields: Mapping[str, str] = NOT_RENAMED,
    options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
    verbose: bool = False,
    dry_run: bool = False,
) -> Report:
    """Run `archive.index_files.index` with a bar that shows its progress.

    With `verbose`, each file and each speech is named on standard error as it is read.
    """
    bar = Bar(paths, list_left_out(service, refused), verbose=verbose)
    with bar.shown:
        return index(
            service,
            paths,
            refused,
            kind=kind,
            rules=rules,
            fields=fields,
            options=options,
            dry_run=dry_run,
            observer=Observer(on_file=bar.on_file, on_document=bar.on_document, on_progress=bar.on_progress),
        )


class Bar:
    """Show the progress of a run on standard error, if that is a terminal: it first reads, then encodes.

    Encoding takes nearly all of the time. So once there are paragraphs to encode, the bar and the remaining
    time depend on them. The number of paragraphs in unread files is estimated from their bytes.
    """

    def __init__(
        self, paths: Sequence[Path], leave_out: Collection[Path] = (), *, verbose: bool = False
    ) -> None:
        console = open_messages()
        self.verbose = verbose
        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        sizes = list(map(measure_bytes, list_files(paths, leave_out))) if console.is_terminal else []
        self.total_bytes, self.files = sum(sizes), len(sizes)
        self.task = self.shown.add_task("reading", total=self.total_bytes)
        self.file, self.before, self.size, self.within = 0, 0, 0, 0
        self.progress = Refreshed()

    def on_file(self, path: Path) -> None:
        """Start counting a file that is read next."""
        self.print_line(f"reading {path}")
        self.before += self.size
        self.file, self.size, self.within = self.file + 1, measure_bytes(path), 0
        self.show()

    def on_document(self, document: Document) -> None:
        """Count a document; inside its file, each character counts as one byte."""
        self.print_line(f"  {document.id}: {count(len(document.text), 'character')}")
        self.within += len(document.text)
        self.show()

    def on_progress(self, progress: Refreshed) -> None:
        """Show how many paragraphs are encoded."""
        self.progress = progress
        self.show()

    def print_line(self, line: str) -> None:
        """Print a line above the bar if the run is verbose."""
        if self.verbose:
            self.shown.console.print(safe(line), soft_wrap=True)

    def show(self) -> None:
        """Show the phase and its progress."""
        read_bytes = self.before + min(self.within, self.size)
        file = f"file {self.file} of {self.files}"
        if not self.progress.to_encode:
            self.shown.update(
                self.task, description=f"reading {file}", completed=read_bytes, total=self.total_bytes
            )
            return
        total = estimate_paragraphs(self.progress.to_encode, read_bytes, self.total_bytes)
        description = f"{file}: {self.progress.encoded:,} of {total:,} paragraphs encoded"
        self.shown.update(self.task, description=description, completed=self.progress.encoded, total=total)


def estimate_paragraphs(read: int, read_bytes: int, total_bytes: int) -> int:
    """Estimate the number of paragraphs in all files from the number `read` in the bytes read so far.

    >>> [estimate_paragraphs(*each) for each in ((100, 250, 1000), (100, 1000, 1000), (7, 0, 0))]
    [400, 100, 7]
    """
    return read if not read_bytes else max(read, round(read * total_bytes / read_bytes))
