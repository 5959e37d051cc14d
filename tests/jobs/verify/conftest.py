"""Verifiers over archives of invented speeches, without vectors."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.archive_without_vectors import build_archive
from embedded.store import EmbeddedStore
from jobs.verify.job import Verifier

MakeVerifier = Callable[[Sequence[dict[str, Any]]], Verifier]


@pytest.fixture(scope="session")
def make_verifier(tmp_path_factory: pytest.TempPathFactory) -> MakeVerifier:
    """Return a function that indexes speeches, given as for JSON lines, and returns a verifier over them."""

    def make(speeches: Sequence[dict[str, Any]]) -> Verifier:
        folder: Path = tmp_path_factory.mktemp("speeches")
        lines = "".join(f"{json.dumps(speech)}\n" for speech in speeches)
        (folder / "speeches.jsonl").write_text(lines, "utf-8")
        build_archive(folder / "speeches.jsonl", folder / "archive")
        return Verifier(EmbeddedStore(folder / "archive"))

    return make
