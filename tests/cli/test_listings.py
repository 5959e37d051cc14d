"""Listings on a terminal, the state of an archive at a glance, and runs that only say what they would do."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from embedded.store import EmbeddedStore
from rostrum.cli.documents import align_row
from rostrum_core.types import DocumentInfo, Generation

from .conftest import Rostrum

ROWS = [
    {
        "id": "gettysburg",
        "title": "Address at the Dedication of the National Cemetery at Gettysburg, Pennsylvania",
        "speaker": "Abraham Lincoln",
        "date": "1863-11-19",
        "text": "Four score and seven years ago.",
    },
    {"id": "moon", "title": "月へ", "date": "1962-09", "text": "We choose to go to the moon."},
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "speeches.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return file


@pytest.fixture
def archive(rostrum: Rostrum, tmp_path: Path, rows: Path) -> Path:
    folder = tmp_path / "archive"
    assert rostrum("index", rows, "--archive", folder).code == 0
    return folder


def test_documents_are_aligned_on_a_terminal_with_the_id_last(
    rostrum: Rostrum, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    first, second = rostrum("documents", "--archive", archive).out.splitlines()
    assert first.startswith("1863-11-19       1  Abraham Lincoln             Address at the Dedication of")
    assert first.endswith("…  gettysburg")
    assert second.startswith("1962-09          1  -                           月へ ")
    assert second.endswith("  moon")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert rostrum("documents", "--archive", archive).out.splitlines()[1] == "moon\t1962-09\t1\t-\t月へ"


def test_an_id_is_never_cut_and_no_title_steers_the_terminal() -> None:
    name = "x" * 200
    row = align_row(DocumentInfo(name, "One\x1b[2J\ntwo"), 60)
    assert row.endswith(f"  {name}")
    assert "\x1b" not in row
    assert "\n" not in row


def test_status_names_models_days_and_what_is_missing(rostrum: Rostrum, archive: Path) -> None:
    lines = rostrum("status", "--archive", archive).out.splitlines()
    published = EmbeddedStore(archive).published()
    assert published is not None
    [models] = [line for line in lines if line.startswith("models: ")]
    assert f"(encoder {published.encoder}, tokenizer {published.tokenizer}, ranker " in models
    assert "speeches: 2, of 1863-11-19 to 1962-09; 1 without a speaker" in lines


def test_status_says_that_other_models_encoded_the_archive(
    rostrum: Rostrum, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = EmbeddedStore.generations

    def foreign(store: EmbeddedStore) -> list[Generation]:
        return [replace(each, encoder="0" * 16) for each in described(store)]

    monkeypatch.setattr(EmbeddedStore, "generations", foreign)
    assert "; others encoded the archive: rostrum index" in rostrum("status", "--archive", archive).out


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(
    rostrum: Rostrum, archive: Path, rows: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in archive.rglob("*") if path.is_file()}
    changed = [ROWS[0] | {"text": "Five score."}, {"id": "new", "text": "One.\n\nTwo."}, {"text": 3}]
    rows.write_text("".join(json.dumps(row) + "\n" for row in changed))
    shown = rostrum("index", rows, "--archive", archive, "--dry-run")
    assert shown.code == 1
    lines = shown.out.splitlines()
    assert lines[0] == "documents: 1 added, 1 replaced"
    assert lines[1].startswith("paragraphs: ")
    assert lines[-1].startswith("dry run: nothing was written after ")
    assert shown.err.startswith(f"refused: {rows}:3: ")
    assert {path: path.stat().st_mtime_ns for path in archive.rglob("*") if path.is_file()} == before
    rows.write_text(json.dumps(ROWS[1]) + "\n")
    mirrored = rostrum("index", rows, "--archive", archive, "--dry-run", "--mirror").out
    assert mirrored.splitlines()[0] == "documents: 1 unchanged, 1 deleted"
    done = rostrum("index", rows, "--archive", archive, "--mirror").out
    assert done.splitlines()[0] == "documents: 1 unchanged, 1 deleted"


def test_a_verbose_run_names_each_file_and_speech(rostrum: Rostrum, tmp_path: Path, rows: Path) -> None:
    shown = rostrum("index", rows, "--archive", tmp_path / "other", "--verbose")
    assert shown.err.splitlines() == [
        f"reading {rows}",
        "  gettysburg: 31 characters",
        "  moon: 28 characters",
    ]
