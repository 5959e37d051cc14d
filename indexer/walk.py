"""Walk the files of a run, sorted by name, skipping hidden files and links that lead out of the folders."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from indexer.files import resolve_path
from indexer.formats.source import Refused
from indexer.sidecars import is_sidecar
from rostrum_core.errors import TranscriptError

# Skip hidden files, the lock files of word processors, and what desktops store about a folder.
LEFT_BY_OTHERS = re.compile(r"\.|~\$|(?:Thumbs\.db|desktop\.ini)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocatedFile:
    """Hold the path of a file to read, and the folder `root`, relative to which the document's id is formed.

    `root` is the folder passed to the run, or the folder of a file passed to it. `is_named` is true if the
    file itself was passed, not a folder that contains it.
    """

    path: Path
    root: Path
    is_named: bool = False


def walk_files(path: Path, refused: Refused, leave_out: Collection[Path] = ()) -> Iterator[LocatedFile]:
    """Yield `path` if it is a file, or else every possible transcript in the folder, sorted by name.

    Hidden files, sidecars (metadata files), and files and folders in `leave_out` are skipped. Links that lead
    outside the folder, nowhere, or to a folder that is itself part of the walk, are reported to `refused`.
    """
    left_out = {resolve_path(place) for place in leave_out}
    if resolve_path(path) in left_out:
        return
    if not path.is_dir():
        yield LocatedFile(path, path.parent, is_named=True)
        return
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        entry = waiting.pop()
        if left_out and resolve_path(entry) in left_out:
            continue
        try:
            if entry != path and not is_sidecar(entry):  # its own reader refuses a broken sidecar
                _check_link(entry, path)
            if entry.is_dir():
                waiting += reversed(_list_folder(entry, seen))
            elif not is_sidecar(entry):
                yield LocatedFile(entry, path)
        except (OSError, TranscriptError) as error:
            refused(
                error
                if isinstance(error, TranscriptError)
                else TranscriptError(str(entry), explain_error(error))
            )


def explain_error(error: OSError) -> str:
    """Return why a file or a folder could not be used, without its name.

    >>> explain_error(PermissionError(13, "Permission denied", "a/b"))
    'Permission denied'
    """
    return error.strerror or str(error)


def _list_folder(folder: Path, seen: set[Path]) -> list[Path]:
    """Return the sorted paths in a folder, without hidden files and temporary files of other programs."""
    place = resolve_path(folder)
    if place in seen:
        raise TranscriptError(str(folder), "a link to a folder that was read already")
    seen.add(place)
    return [folder / name for name in sorted(os.listdir(folder)) if not LEFT_BY_OTHERS.match(name)]


def _check_link(entry: Path, root: Path) -> None:
    """Raise TranscriptError if `entry` is a link that must not be followed.

    Such a link leads out of the folder `root`, to a missing target, or to a folder within `root`, whose files
    would be read twice.
    """
    if not entry.is_symlink():
        return
    try:
        leads_to = entry.resolve(strict=True)
    except (FileNotFoundError, RuntimeError) as error:  # RuntimeError: a link that leads back to itself
        raise TranscriptError(str(entry), "a link that leads nowhere") from error
    if not leads_to.is_relative_to(resolve_path(root)):
        raise TranscriptError(str(entry), "a link that leads outside the folder")
    hidden = any(part.startswith(".") for part in leads_to.relative_to(resolve_path(root)).parts)
    if leads_to.is_dir() and not hidden:
        raise TranscriptError(str(entry), "a link to a folder that is read at its own place")
