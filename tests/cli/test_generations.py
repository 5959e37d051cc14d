"""`rostrum generations`: what is kept, and which of it readers see."""

from pathlib import Path

import pytest

from .conftest import Rostrum

WORDS = ("The river runs to the sea.", "The road is long.", "The night is young.")


@pytest.fixture
def archive(rostrum: Rostrum, tmp_path: Path) -> Path:
    """An archive of three generations, of one, two and three speeches."""
    speeches, archive = tmp_path / "speeches", tmp_path / "archive"
    speeches.mkdir()
    for name, words in zip("abc", WORDS, strict=True):
        (speeches / f"{name}.txt").write_text(words)
        assert rostrum("index", speeches, "--archive", archive).code == 0
    return archive


def states(rostrum: Rostrum, archive: Path) -> list[list[str]]:
    """Name, state and number of documents of each generation."""
    lines = rostrum("generations", "list", "--archive", archive).out.splitlines()
    assert lines[0].split()[:3] == ["generation", "state", "documents"]
    return [line.split()[:3] for line in lines[1:]]


def test_one_goes_back_and_forth_and_removes_what_is_old(rostrum: Rostrum, archive: Path) -> None:
    assert states(rostrum, archive) == [
        ["000001", "ready", "1"],
        ["000002", "ready", "2"],
        ["000003", "published", "3"],
    ]
    back = rostrum("generations", "rollback", "--archive", archive)
    assert (back.code, back.out) == (0, "published 000002: 2 documents, 2 paragraphs\n")
    assert rostrum("show", "c", "--archive", archive).code == 2
    assert rostrum("generations", "publish", "000003", "--archive", archive).code == 0
    assert WORDS[2] in rostrum("show", "c", "--archive", archive).out
    pruned = rostrum("generations", "prune", "--keep", "2", "--archive", archive)
    assert (pruned.code, pruned.out) == (0, "removed: 000001\n")
    assert [row[:2] for row in states(rostrum, archive)] == [["000002", "ready"], ["000003", "published"]]
    assert rostrum("generations", "prune", "--keep", "2", "--archive", archive).out == "removed: none\n"


def test_what_is_not_ready_cannot_be_published(rostrum: Rostrum, archive: Path) -> None:
    wrong = rostrum("generations", "publish", "000009", "--archive", archive)
    assert wrong.code == 2
    assert wrong.complaint == "rostrum: there is no generation 000009, or another writer is building it"
    assert rostrum("generations", "rollback", "--archive", archive.parent / "none").code == 1
    assert rostrum("generations", "prune", "--keep", "0", "--archive", archive).code == 2


def test_an_empty_name_publishes_nothing(rostrum: Rostrum, archive: Path) -> None:
    wrong = rostrum("generations", "publish", "", "--archive", archive)
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.complaint == "rostrum: there is no generation '', or another writer is building it"
    assert states(rostrum, archive)[-1] == ["000003", "published", "3"]


def test_damaged_generations_are_listed_and_not_published(
    rostrum: Rostrum, archive: Path, tmp_path: Path
) -> None:
    for name in ("000001", "000003"):
        (archive / "generations" / name / "generation.json").write_text("{")
    assert [row[1] for row in states(rostrum, archive)] == ["damaged", "ready", "damaged"]
    status = rostrum("status", "--archive", archive)
    assert (status.code, "encodes it again" in status.out) == (0, False)
    wrong = rostrum("index", tmp_path / "speeches", "--archive", archive)
    assert (wrong.code, "`rostrum index --fresh` rebuilds it" in wrong.complaint) == (1, True)
    assert rostrum("index", tmp_path / "speeches", "--fresh", "--archive", archive).code == 0
    back = rostrum("generations", "rollback", "--archive", archive)
    assert (back.code, "generation 000003 cannot be opened and is not published" in back.complaint) == (
        1,
        True,
    )
    assert [row[1] for row in states(rostrum, archive)] == ["ready", "damaged", "published"]
    assert WORDS[2] in rostrum("show", "c", "--archive", archive).out


def test_of_no_archive_there_are_none(rostrum: Rostrum, tmp_path: Path) -> None:
    assert "nothing is indexed yet" in rostrum("generations", "list", "--archive", tmp_path).out
