"""Run refresh jobs: index transcripts from a folder on the worker's machine."""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from archive.byte_counter import ByteCounter
from archive.index_files import build_outcome, index, list_left_out
from archive.refresh import Observer, RefreshOptions
from archive.service import Service
from indexer.dead_letters import DEAD_LETTERS, DeadLetters
from indexer.metadata import require_read_names
from rostrum_core.errors import BadInput, TranscriptError
from rostrum_core.refresh_jobs import Progress, RefreshOutcome, RefreshRequest

LOG = logging.getLogger(__name__)


def refresh_sources(
    service: Service, folder: Path, request: RefreshRequest, tell: Callable[[Progress], None]
) -> RefreshOutcome:
    """Update the archive from the files and folders below `folder` that a request names.

    Inputs that cannot be read are recorded as dead letters (errors as JSON lines) in the archive's folder, or
    logged if that file cannot be written. The callback `tell` receives the progress; an exception that it
    raises ends the run.

    Raises:
        BadInput: a name does not exist or leads out of `folder`, or the kind or a field is unknown.
        ArchiveBusy, StoreError, TaskError: as `archive.refresh.refresh`.
    """
    unwritten = _Unwritten()
    letters = DeadLetters(service.settings.archive / DEAD_LETTERS, unwritten)
    paths = list_sources(folder, request.paths)
    counter = ByteCounter(paths, list_left_out(service, letters), tell)
    report = index(
        service,
        paths,
        letters,
        root=folder,
        kind=request.kind,
        rules=service.settings.rules,
        fields=require_read_names(request.fields),
        options=RefreshOptions(fresh=request.fresh, mirror=request.mirror),
        observer=Observer(
            on_file=counter.count_file,
            on_document=counter.count_document,
            on_progress=counter.report_progress,
        ),
    )
    return build_outcome(report, letters, unwritten.count)


def list_sources(folder: Path, names: Sequence[str]) -> list[Path]:
    """Return the files and folders in `folder` that have these names, without duplicates.

    A name may be a glob pattern, such as "1863/*.txt".

    Without names, return `folder` itself. `folder` must be an absolute path without `..`.

    Raises:
        BadInput: a name does not exist, or leads out of `folder`.
    """
    paths = [path for name in names for path in _match(folder, name)]
    return list(dict.fromkeys(paths)) or [folder]


def _match(folder: Path, name: str) -> Iterator[Path]:
    literal = os.path.exists(folder / name)  # pathlib's raises where a name is too long
    matches = [name] if literal else sorted(glob.glob(name, root_dir=folder, recursive=True))
    if not matches:
        raise BadInput(f"{name!r} is not there among the sources of the worker", field="paths")
    for match in matches:
        path = Path(os.path.normpath(folder / match))
        if not (path.is_relative_to(folder) and path.resolve().is_relative_to(folder.resolve())):
            raise BadInput(f"{name!r} leads out of the sources of the worker", field="paths")
        yield path


class _Unwritten:
    """Log and count dead letters (errors as JSON lines) that cannot be written to their file."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, letter: TranscriptError, why: OSError) -> None:
        self.count += 1
        LOG.warning("%s (dead letters: %s)", letter, why.strerror or why)
