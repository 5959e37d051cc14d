"""Runs that meet bad files and full disks: what is told, what is kept, and what the next run makes of it."""

import gzip
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from .conftest import PROGRAM, Rostrum

RIVER = "The river runs to the sea."


@pytest.fixture
def speeches(tmp_path: Path) -> Path:
    folder = tmp_path / "speeches"
    folder.mkdir()
    (folder / "river.txt").write_text(RIVER)
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only who may mount a file system can fill one")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def bounded(bound_bytes: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command that may write no file beyond a size, as on a disk that is full there."""

    def bind() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bound_bytes, bound_bytes))

    line = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, preexec_fn=bind, check=False)


def fill(path: Path) -> None:
    """Takes up all the room that there is."""
    with path.open("wb", buffering=0) as stream, suppress(OSError):
        while stream.write(b"\0" * 1024):
            pass
    assert shutil.disk_usage(path).free == 0


def letters(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_summary_says_how_many_were_not_read_and_why(rostrum: Rostrum, speeches: Path) -> None:
    (speeches / "a.txt").write_text("")
    (speeches / "b.txt").write_text("(Applause.)")
    (speeches / "c.mp3").write_bytes(b"ID3")
    (speeches / "d.md").write_bytes(b"\0" * 100)
    (speeches / "e.jsonl").write_text(
        '{"id": "e", "date": "soon", "text": "a"}\n{"id": "f", "date": "late"}\n'
    )
    archive = speeches.parent / "archive"
    done = rostrum("index", speeches, "--archive", archive)
    assert done.code == 1
    assert done.out.splitlines()[:6] == [
        "documents: 2 added",
        "paragraphs: 2 written, 2 encoded, 0 reused",
        "speeches: 2 without a speaker, 2 without a date;"
        " list them with rostrum documents --missing speaker --missing date",
        "2 refused: 1 binary data, not text, 1 expected paragraphs (a list of texts) or text, found neither",
        "3 passed over: 2 no speech in it, 1 no kind of file that is known by its suffix",
        "2 read with a remark: 2 not a calendar date with year, month and day;"
        f" see {archive / 'dead-letters.jsonl'}",
    ]
    written = letters(archive / "dead-letters.jsonl")
    assert [letter["class"] for letter in written] == [
        *["passed over"] * 3,
        "refused",
        "remark",
        "remark",
        "refused",
    ]


def test_dead_letters_are_those_of_the_last_run_with_absolute_paths(
    rostrum: Rostrum, speeches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = speeches.parent / "archive"
    (speeches / "a.jsonl").write_text("{")
    monkeypatch.chdir(speeches)
    for _ in range(2):
        assert rostrum("index", ".", "--archive", archive).code == 1
        [letter] = letters(archive / "dead-letters.jsonl")
        assert letter["file"] == str(speeches / "a.jsonl")
    (speeches / "a.jsonl").unlink()
    assert rostrum("index", ".", "--archive", archive).code == 0
    assert not (archive / "dead-letters.jsonl").exists()
    assert len(letters(archive / "dead-letters.jsonl.1")) == 1


def test_an_empty_file_does_not_keep_a_mirror_from_deleting(rostrum: Rostrum, speeches: Path) -> None:
    archive = speeches.parent / "archive"
    (speeches / "b.txt").write_text("We came here.")
    assert rostrum("index", speeches, "--archive", archive).code == 0
    (speeches / "b.txt").unlink()
    (speeches / "empty.md").write_text("[Applause.]")
    done = rostrum("index", speeches, "--archive", archive, "--mirror")
    assert (done.code, "1 deleted" in done.out) == (0, True)
    assert "1 passed over: 1 no speech in it" in done.out


def test_ids_that_stand_twice_are_skipped_where_they_say_the_same_and_told_where_not(
    rostrum: Rostrum, tmp_path: Path
) -> None:
    rows = [
        {"id": f"wh-{n}", "kind": "press-briefings", "paragraphs": [f"We met {n} of them."]}
        for n in range(12)
    ]
    twice = [{**row, "kind": "speeches-remarks"} for row in rows[:9]]
    path = tmp_path / "speeches.jsonl.gz"
    path.write_bytes(
        gzip.compress("".join(json.dumps(row) + "\n" for row in [*rows, *twice, *rows]).encode())
    )
    archive = tmp_path / "archive"
    done = rostrum("index", path, "--archive", archive)
    assert (done.code, done.out.splitlines()[0]) == (1, "documents: 12 added")
    assert "9 refused: 9 the same id as another document; see" in done.out
    assert [
        (letter["file"], letter["line"], letter["reason"])
        for letter in letters(archive / "dead-letters.jsonl")
    ] == [
        (str(path), 13 + n, f"the same id as another document: 'wh-{n}' stands in {path}, line {1 + n}")
        for n in range(9)
    ]


def test_dead_letters_without_room_are_told_and_the_rest_is_indexed(rostrum: Rostrum, speeches: Path) -> None:
    (speeches / "a\x1b[2J.txt").write_bytes(b"\0" * 100)
    command = ("index", speeches, "--archive", speeches.parent / "archive", "--dead-letters", "/dev/full")
    done = rostrum(*command)
    assert done.code == 1
    assert "documents: 1 added" in done.out
    assert done.err == f"{speeches}/a[2J.txt: binary data, not text (dead letters: No space left on device)\n"


def test_a_full_disk_leaves_what_is_published_and_the_next_run_completes(
    rostrum: Rostrum, speeches: Path, small_disk: Path
) -> None:
    archive = small_disk / "archive"
    assert rostrum("index", speeches, "--archive", archive).code == 0
    (speeches / "road.txt").write_text("The road is long.")
    fill(small_disk / "filler")
    done = rostrum("index", speeches, "--archive", archive)
    assert done.code == 1
    assert done.complaint.startswith("rostrum: the archive cannot be read or written: ")
    assert RIVER in rostrum("show", "river", "--archive", archive).out
    (small_disk / "filler").unlink()
    assert "1 added" in rostrum("index", speeches, "--archive", archive).out


@pytest.mark.parametrize("room_bytes", [0, 100, 5_000, 30_000])
def test_a_file_that_may_not_grow_is_told_in_the_last_line_and_loses_nothing(
    rostrum: Rostrum, speeches: Path, room_bytes: int
) -> None:
    archive = speeches.parent / "archive"
    (speeches / "_meta.yaml").write_text("language: en\n")  # a language that is told needs no model unpacked
    rostrum("index", speeches, "--archive", archive)
    (speeches / "road.txt").write_text("\n\n".join(f"The road is {n} miles long." for n in range(40)))
    done = bounded(room_bytes, "index", speeches, "--archive", archive)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("rostrum: the archive cannot be read or written: ")
    assert RIVER in rostrum("show", "river", "--archive", archive).out
    assert "1 added" in rostrum("index", speeches, "--archive", archive).out


def test_a_model_of_languages_that_finds_no_room_ends_the_run_and_blames_no_speech(speeches: Path) -> None:
    done = bounded(100_000, "index", speeches, "--archive", speeches.parent / "archive")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("rostrum: the model of languages cannot be unpacked: ")
    assert not (speeches.parent / "archive" / "dead-letters.jsonl").exists()
