"""Show a progress bar while transcript files are indexed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from archive.byte_counter import ByteCounter
from archive.index_files import list_left_out
from archive.refresh import Observer
from archive.service import Service
from indexer.dead_letters import DeadLetters
from rostrum.cli.terminal import count, open_messages, safe
from rostrum_core.refresh_jobs import Progress as Refreshed
from rostrum_core.types import Document


@contextmanager
def show_progress(
    service: Service,
    paths: Sequence[Path],
    letters: DeadLetters,
    *,
    main_archive: Path | None = None,
    verbose: bool = False,
) -> Iterator[Observer]:
    """Show a progress bar while the block indexes files, and yield the callbacks that move the bar.

    The caller passes these callbacks to `archive.index_files.index` as `observer`. With `verbose`, each file
    and each speech is named on standard error as it is read. If the archive of `service` is a named one,
    such as an archive of articles, `main_archive` is the folder of the main archive.
    """
    bar = Bar(paths, list_left_out(service, letters, main_archive), verbose=verbose)
    with bar.shown:
        yield Observer(on_file=bar.on_file, on_document=bar.on_document, on_progress=bar.on_progress)


class Bar:
    """Show the progress of an index run on standard error, if standard error is a terminal.

    A run reads files and encodes their paragraphs. Encoding takes nearly all of the time. So once there are
    paragraphs to encode, the bar and the remaining time depend on the number of encoded paragraphs. The
    number of paragraphs in unread files is estimated from the size of these files.
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
        self.counter = ByteCounter(paths if console.is_terminal else [], leave_out, self.show)
        self.task = self.shown.add_task("reading", total=self.counter.total_bytes)
        self.progress = Refreshed()

    def on_file(self, path: Path) -> None:
        """Show that a file is read next; if the run is verbose, also print the name of the file."""
        self.print_line(f"reading {path}")
        self.counter.count_file(path)
        self.counter.report_progress(self.progress)

    def on_document(self, document: Document) -> None:
        """Move the progress bar after a document was read.

        The number of bytes read is estimated from the document's number of characters.
        """
        self.print_line(f"  {document.id}: {count(len(document.text), 'character')}")
        self.counter.count_document(document)
        self.counter.report_progress(self.progress)

    def on_progress(self, progress: Refreshed) -> None:
        """Move the bar to the number of paragraphs that are encoded."""
        self.progress = progress
        self.counter.report_progress(progress)

    def print_line(self, line: str) -> None:
        """Print a line above the bar if the run is verbose."""
        if self.verbose:
            self.shown.console.print(safe(line), soft_wrap=True)

    def show(self, progress: Refreshed) -> None:
        """Show the number of the file that is read, and how much was read.

        Once there are paragraphs to encode, show the number of encoded paragraphs instead.
        """
        file = f"file {self.counter.file} of {self.counter.files}"
        description, completed, total = f"reading {file}", progress.read_bytes, progress.total_bytes
        if progress.to_encode:
            completed = progress.encoded
            total = estimate_paragraphs(progress.to_encode, progress.read_bytes, progress.total_bytes)
            description = f"{file}: {completed:,} of {total:,} paragraphs encoded"
        self.shown.update(self.task, description=description, completed=completed, total=total)


def estimate_paragraphs(read: int, read_bytes: int, total_bytes: int) -> int:
    """Estimate the number of paragraphs in all files, whose size is `total_bytes`.

    `read` is the number of paragraphs in the `read_bytes` that were read so far.

    >>> [estimate_paragraphs(*each) for each in ((100, 250, 1000), (100, 1000, 1000), (7, 0, 0))]
    [400, 100, 7]
    """
    return read if not read_bytes else max(read, round(read * total_bytes / read_bytes))
