"""Files that a run writes itself are no transcripts, wherever they lie."""

from pathlib import Path

import pytest

from rostrum.cli import run


@pytest.mark.parametrize("letters", ["archive/dead-letters.jsonl", "letters.jsonl"])
def test_an_archive_within_the_folder_that_is_indexed_is_not_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], letters: str
) -> None:
    (tmp_path / "road.txt").write_text("The road is long.")
    (tmp_path / "broken.jsonl").write_text("{\n")
    archive, dead_letters = tmp_path / "archive", tmp_path / letters
    command = ["index", str(tmp_path), "--archive", str(archive), "--dead-letters", str(dead_letters)]
    for documents in ("1 added", "1 unchanged"):
        assert run(command) == 1
        assert f"documents: {documents}" in capfd.readouterr().out
        assert len(dead_letters.read_text().splitlines()) == 1  # the letters of the last run


def test_an_archive_is_no_folder_of_transcripts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "road.txt").write_text("The road is long.")
    assert run(["index", str(tmp_path), "--archive", str(tmp_path)]) == 2
    assert "nothing is left to read" in capfd.readouterr().err


def test_a_named_archive_reads_no_file_of_the_main_archive(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "road.txt").write_text("The road is long.")
    (tmp_path / "broken.jsonl").write_text("{\n")
    archive = tmp_path / "archive"
    assert run(["index", str(tmp_path), "--archive", str(archive)]) == 1  # it leaves dead letters
    capfd.readouterr()
    (tmp_path / "broken.jsonl").unlink()
    assert run(["index", str(tmp_path), "--archive", str(archive), "--as", "articles"]) == 0
    assert "documents: 1 added" in capfd.readouterr().out
