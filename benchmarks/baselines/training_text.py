"""Select the text that baselines without labels learn from: paragraphs spoken before dev begins."""

from __future__ import annotations

from pathlib import Path

from evaluation.data import DEV, DOCUMENTS
from reranker.models.weights import hash_file
from training.unaligned import select_older_than_dev


def list_spoken(data: Path) -> list[str]:
    """Return every paragraph of the transcripts that are older than all that dev quotes."""
    return [text for transcript in select_older_than_dev(data) for text in transcript.paragraphs]


def hash_spoken_files(data: Path) -> dict[str, str]:
    """Return the files that determine `list_spoken`, by their hashes."""
    return {name: hash_file(data / name) for name in (DOCUMENTS, DEV)}
