"""Read "sidecars", the metadata files next to a transcript.

They are `NAME.meta.json` and `NAME.meta.yaml` for one transcript, and `_meta.yaml` for a folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from indexer.encodings import decode
from indexer.files import open_file, read_whole, resolve_path
from indexer.front_matter import read_yaml
from indexer.metadata import Metadata, find_doubts, read_mapping
from rostrum_core.errors import ReadingRemark, TranscriptError

OWN_ENDINGS = (".meta.json", ".meta.yaml")
FOLDER_WIDE = "_meta.yaml"
LARGEST_BYTES = 1 << 20

Remark = Callable[[TranscriptError], None]


def is_sidecar(path: Path) -> bool:
    """Return whether a file is a sidecar with metadata, and not a transcript.

    >>> is_sidecar(Path("a.meta.json")), is_sidecar(Path("x/_meta.yaml")), is_sidecar(Path("a.txt"))
    (True, True, False)
    """
    return path.name == FOLDER_WIDE or path.name.endswith(OWN_ENDINGS)


def list_folders(transcript: Path, root: Path) -> tuple[Path, ...]:
    """Return the folder of a transcript and its parents up to `root`, the nearest first.

    >>> [folder.as_posix() for folder in list_folders(Path("run/a/b/c.txt"), Path("run"))]
    ['run/a/b', 'run/a', 'run']
    """
    metadata = [transcript.parent]
    while metadata[-1] != root and root in metadata[-1].parents:
        metadata.append(metadata[-1].parent)
    return tuple(metadata)


def read_sidecars(transcript: Path, stem: str, root: Path, remark: Remark) -> Metadata:
    """Read the sidecars (metadata files) of a transcript, and merge their metadata; an earlier sidecar wins.

    The transcript's own sidecars come first, then those of its folder and of the parents up to `root`. `stem`
    is the transcript's name without suffix. `remark` is called for each field that seems misspelt or whose
    value is skipped.

    Raises:
        TranscriptError: a sidecar cannot be read; the error names the transcript, which is skipped.
    """
    candidates = [transcript.with_name(stem + ending) for ending in OWN_ENDINGS]
    candidates += [folder / FOLDER_WIDE for folder in list_folders(transcript, root)]
    metadata = Metadata()
    for path in candidates:
        if os.path.lexists(path):
            metadata = metadata.fill_from(_read_sidecar(path, transcript, root, remark))
    return metadata


def _read_sidecar(path: Path, transcript: Path, root: Path, remark: Remark) -> Metadata:
    try:
        if path.is_symlink() and not resolve_path(path).is_relative_to(resolve_path(root)):
            raise ValueError("a link that leads outside the folder")
        with open_file(path) as stream:
            data = read_whole(stream, str(path), LARGEST_BYTES)
        values = _parse(decode(data, str(path)), path)
        for doubt in find_doubts(values, str(path)):
            remark(doubt)
        return read_mapping(values, lambda reason: remark(ReadingRemark(str(path), reason)))
    except (ValueError, RecursionError, TranscriptError) as error:
        reason = error.reason if isinstance(error, TranscriptError) else str(error)
        raise TranscriptError(str(transcript), f"its sidecar {path.name}: {reason}") from error


def _parse(text: str, path: Path) -> dict[str, Any]:
    values = json.loads(text) if path.suffix == ".json" else read_yaml(text, str(path))
    if not isinstance(values, dict):
        raise ValueError("no mapping of names to values")
    return values
