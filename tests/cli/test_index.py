import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from tests.waiting import wait_until

from .conftest import Rostrum

SPEECH = "We begin anew.\n\nThe road is long, and we shall walk it together.\n"


@pytest.fixture
def speeches(tmp_path: Path) -> Path:
    folder = tmp_path / "speeches"
    folder.mkdir()
    (folder / "1961-01-20-road.txt").write_text(SPEECH)
    (folder / "1962-02-02-river.txt").write_text("The river runs to the sea.\n\nSo do our hopes.\n")
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive"


def ids(archive: Path) -> list[str]:
    return [document.id for document in EmbeddedStore(archive).documents()]


def test_a_folder_is_indexed_and_can_be_searched(rostrum: Rostrum, speeches: Path, archive: Path) -> None:
    done = rostrum("index", speeches, "--archive", archive)
    assert (done.code, done.err) == (0, "")
    assert "documents: 2 added" in done.out
    assert "paragraphs: 4 written, 4 encoded, 0 reused" in done.out
    found = rostrum("recommend", "--left", "A river to the sea", "--archive", archive, "--limit", "1")
    assert "The river runs to the sea." in found.out.replace("»", "").replace("«", "")


def test_a_second_run_over_unchanged_files_changes_nothing(
    rostrum: Rostrum, speeches: Path, archive: Path
) -> None:
    rostrum("index", speeches, "--archive", archive)
    done = rostrum("index", speeches, "--archive", archive)
    assert done.code == 0
    first, *_, last = done.out.splitlines()
    assert (first, last.startswith("nothing changed after ")) == ("documents: 2 unchanged", True)


def test_a_paragraph_inserted_at_the_top_is_the_only_one_encoded(
    rostrum: Rostrum, speeches: Path, archive: Path
) -> None:
    rostrum("index", speeches, "--archive", archive)
    (speeches / "1961-01-20-road.txt").write_text("My friends, it is morning.\n\n" + SPEECH)
    done = rostrum("index", speeches, "--archive", archive)
    assert "documents: 1 replaced, 1 unchanged" in done.out
    assert "paragraphs: 3 written, 1 encoded, 2 reused" in done.out


def test_what_cannot_be_read_goes_to_the_dead_letters_and_the_rest_is_indexed(
    rostrum: Rostrum, speeches: Path, archive: Path
) -> None:
    (speeches / "broken.jsonl").write_text('{"id": "a", "text": "Good words."}\n{"id": \n')
    done = rostrum("index", speeches, "--archive", archive)
    assert done.code == 1
    assert "documents: 3 added" in done.out
    assert f"1 refused: 1 no JSON; see {archive / 'dead-letters.jsonl'}" in done.out
    [letter] = map(json.loads, (archive / "dead-letters.jsonl").read_text().splitlines())
    assert (Path(letter["file"]).name, letter["line"]) == ("broken.jsonl", 2)


def test_the_dead_letters_go_where_they_are_told(rostrum: Rostrum, tmp_path: Path, archive: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{\n")
    letters = tmp_path / "letters.jsonl"
    done = rostrum("index", tmp_path / "a.jsonl", "--archive", archive, "--dead-letters", letters)
    assert done.code == 1
    assert len(letters.read_text().splitlines()) == 1


def test_a_mirror_deletes_what_is_not_given_but_not_if_something_was_refused(
    rostrum: Rostrum, speeches: Path, archive: Path
) -> None:
    rostrum("index", speeches, "--archive", archive)
    (speeches / "1962-02-02-river.txt").unlink()
    (speeches / "bad.jsonl").write_text("{\n")
    done = rostrum("index", speeches, "--archive", archive, "--mirror")
    assert (done.code, "nothing was deleted" in done.out) == (1, True)
    assert ids(archive) == ["1961-01-20-road", "1962-02-02-river"]
    (speeches / "bad.jsonl").unlink()
    done = rostrum("index", speeches, "--archive", archive, "--mirror")
    assert "1 unchanged, 1 deleted" in done.out
    assert "nothing was deleted" not in done.out
    assert ids(archive) == ["1961-01-20-road"]


def test_a_picture_among_the_speeches_is_told_and_keeps_no_mirror_from_deleting(
    rostrum: Rostrum, speeches: Path, archive: Path
) -> None:
    (speeches / "logo.png").write_bytes(b"?")
    assert rostrum("index", speeches, "--archive", archive).code == 0
    (speeches / "1962-02-02-river.txt").unlink()
    done = rostrum("index", speeches, "--archive", archive, "--mirror")
    assert done.code == 0
    assert "1 unchanged, 1 deleted" in done.out
    assert "1 passed over: 1 no kind of file that is known by its suffix; see " in done.out
    assert ids(archive) == ["1961-01-20-road"]


def test_a_fresh_run_keeps_only_what_it_is_given(rostrum: Rostrum, speeches: Path, archive: Path) -> None:
    rostrum("index", speeches, "--archive", archive)
    rostrum("index", speeches / "1961-01-20-road.txt", "--archive", archive, "--fresh")
    assert ids(archive) == ["1961-01-20-road"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing argument"),
        (["none"], "none is not there"),
        (["-"], "standard input needs a kind"),
        (["none", "--kind", "wav"], "'wav'"),
    ],
)
def test_bad_input_is_told_in_one_line_with_exit_code_2(
    rostrum: Rostrum, archive: Path, arguments: list[str], complaint: str
) -> None:
    done = rostrum("index", "--archive", archive, *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint


def test_a_second_writer_is_told_so(rostrum: Rostrum, speeches: Path, archive: Path) -> None:
    other = EmbeddedStore(archive)
    other.begin(encoder="a", tokenizer="b")
    done = rostrum("index", speeches, "--archive", archive)
    assert done.code == 1
    assert "another writer" in done.complaint


def test_ctrl_c_ends_with_130_and_leaves_what_was_published(
    rostrum: Rostrum, process: Callable[..., subprocess.Popen[str]], speeches: Path, archive: Path
) -> None:
    rostrum("index", speeches, "--archive", archive)
    started = process("index", locate_shipped("samples/speeches.jsonl"), "--archive", archive)
    wait_until(lambda: any(each.state == "building" for each in EmbeddedStore(archive).generations()))
    started.send_signal(signal.SIGINT)
    _, messages = started.communicate(timeout=60)
    assert (started.returncode, messages.strip()) == (130, "rostrum: interrupted")
    assert ids(archive) == ["1961-01-20-road", "1962-02-02-river"]
