"""Read a folder of models: its manifest, hashes, graphs and word embeddings."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from reranker.models.engines import Engine
from reranker.models.files import FILES, GRAPHS, MANIFEST, PARTS, WORDS
from reranker.models.onnx_session import Graph
from reranker.models.word_table import WordTable
from rostrum_core.errors import ModelError


@dataclass(frozen=True)
class Manifest:
    """Hold the manifest of a folder of models, with its hashes checked against the files."""

    folder: Path
    name: str
    files: dict[str, str]
    content: dict[str, Any]

    def hash_of(self, *names: str) -> str:
        """Return one hash for the files with these names together: 16 hex digits."""
        joined = "".join(f"{name}:{self.files[name]};" for name in sorted(names))
        return hashlib.sha256(joined.encode()).hexdigest()[:16]

    @property
    def hashes(self) -> dict[str, str]:
        """Return the hash (16 hex digits) of each part that the folder has, by its name in `PARTS`."""
        return {
            name: self.hash_of(*part.files)
            for name, part in PARTS.items()
            if all(file in self.files for file in part.files)
        }


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of `folder`, and check that every file of the models is present and unchanged.

    Raises:
        ModelError: the manifest is missing or invalid, or a file is missing or differs from the published
            one.
    """
    path = folder / MANIFEST
    try:
        values = json.loads(path.read_text("utf-8"))
        files = dict(values["files"])
        name = str(values["name"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} is not a readable manifest: {error}") from error
    for file in FILES:
        if file not in files:
            raise ModelError(f"{path} does not name {file}")
    for file in files:
        if (digest := hash_file(folder / file)) != files[file]:
            raise ModelError(
                f"{folder / file} is damaged or foreign: SHA-256 {digest[:12]}, not {files[file][:12]}"
            )
    return Manifest(folder, name, files, values)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hex.

    Raises:
        ModelError: the file cannot be read.
    """
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error}") from error


def read_words(manifest: Manifest) -> WordTable:
    """Read the table of word embeddings of the models.

    Raises:
        ModelError: the file cannot be read, or lacks the rows or their scales.
    """
    tensors = _load_tensors(manifest.folder / WORDS)
    try:
        return WordTable(tensors["rows"], tensors["scales"])
    except KeyError as error:
        raise ModelError(f"{WORDS} has no {error}") from error


def read_graph(manifest: Manifest, graph: str, engine: Engine) -> Graph:
    """Load the graph named `graph` with an engine, and return a function that runs it (see `Engine.load`)."""
    return engine.load(manifest.folder / f"{graph}.onnx", GRAPHS[graph].inputs)


def _load_tensors(path: Path) -> dict[str, NDArray[Any]]:
    try:
        tensors: dict[str, NDArray[Any]] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    return tensors
