"""Files that are not what they seem: each is refused with a reason, and all that stands beside it is read."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

import indexer.formats.source
from indexer.dead_letters import DeadLetters
from indexer.files import LARGEST_TEXT_BYTES
from indexer.ingest import read
from rostrum_core.errors import TranscriptError

MEGABYTE = 1 << 20
NOBODY = 65534


def run(*paths, **options):
    refused = []
    found = list(read([Path(path) for path in paths], refused=refused.append, **options))
    return [document.id for document in found], {Path(error.file).name: error.reason for error in refused}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "z-good.txt").write_text("Read all the same.")
    return tmp_path


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.jsonl"])
@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", b"\x00" * 4096, bytes(range(256)) * 40])
def test_an_empty_file_and_junk_are_refused_or_hold_no_rows(folder, name, data):
    (folder / name).write_bytes(data)
    found, refused = run(folder)
    assert found == ["z-good"]
    assert set(refused) <= {name}
    if name != "a.jsonl":
        assert refused[name] in ("no speech in it", "binary data, not text")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.jsonl"])
def test_fifty_megabytes_on_one_line_are_refused_within_a_bound_of_memory(folder, name):
    with (folder / name).open("wb") as stream:
        stream.write(b'{"id": "a", "text": "' if name == "a.jsonl" else b"")
        stream.write(b"word " * (10 * MEGABYTE))
        stream.write(b'"}\n{"id": "b", "text": "The next line."}\n' if name == "a.jsonl" else b"")
    output = in_a_child(
        f"""
        import resource
        list(read([Path({str(folder / "z-good.txt")!r})], refused=print))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        refused = []
        found = [each.id for each in read([Path({str(folder)!r})], refused=refused.append)]
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(json.dumps([found, [each.reason for each in refused], grown // 1024]))
        """
    )
    found, reasons, grown_megabytes = json.loads(output)
    assert found == (["b", "z-good"] if name == "a.jsonl" else ["z-good"])
    assert len(reasons) == 1
    assert "more than" in reasons[0]
    assert grown_megabytes < 100


def test_lone_surrogates_and_controls_come_out_of_texts_and_titles(folder):
    row = r'{"id": "a", "title": "\u001b[2J\ud83d\ude00", "text": "So \udfff it\u0007.\u2028And."}'
    (folder / "a.jsonl").write_text(row)
    (document, _) = read([folder], refused=pytest.fail)
    assert (document.id, document.title, document.text) == ("a", "[2J😀", "So \ufffd it.\n\nAnd.")
    document.text.encode("utf-8")


@pytest.mark.parametrize("given", ["../../etc/passwd", "/etc/passwd", "a/../b", "C:\\a", "%00"])
def test_an_id_is_a_name_and_no_path(folder, given):
    (folder / "a.jsonl").write_text(json.dumps({"id": given, "text": "So."}))
    before = sorted(folder.rglob("*"))
    found, refused = run(folder)
    assert (found, refused) == ([given, "z-good"], {})
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("given", ["a\nb", " a", "a  b", "a\u0000", "a\ud800", " .. "])
def test_an_id_that_would_have_to_be_cleaned_is_refused(folder, given):
    (folder / "a.jsonl").write_text(json.dumps({"id": given, "text": "So."}))
    found, refused = run(folder)
    assert found == ["z-good"]
    assert "is not an id: invisible characters, line ends, or spaces too many" in str(refused)


@pytest.mark.parametrize("given", [".", ".."])
def test_name_that_an_address_takes_for_a_folder_is_not_an_id(folder, given):
    (folder / "a.jsonl").write_text(json.dumps({"id": given, "text": "So."}))
    found, refused = run(folder)
    assert found == ["z-good"]
    assert "in an address it names a folder" in str(refused)


def test_links_that_lead_round_nowhere_or_outside_are_refused_by_name(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("Secret.")
    (folder / "a-round.txt").symlink_to(folder / "b-round.txt")
    (folder / "b-round.txt").symlink_to(folder / "a-round.txt")
    (folder / "c-nowhere.txt").symlink_to(folder / "gone.txt")
    (folder / "d-outside.txt").symlink_to(outside / "secret.txt")
    (folder / "e-outside").symlink_to(outside)
    (folder / "f-up").symlink_to(folder)
    assert run(folder) == (
        ["z-good"],
        {
            "a-round.txt": "a link that leads nowhere",
            "b-round.txt": "a link that leads nowhere",
            "c-nowhere.txt": "a link that leads nowhere",
            "d-outside.txt": "a link that leads outside the folder",
            "e-outside": "a link that leads outside the folder",
            "f-up": "a link to a folder that is read at its own place",
        },
    )


def test_a_link_to_a_folder_changes_no_name_in_it_whatever_its_own_name(folder):
    (folder / "m").mkdir()
    (folder / "m" / "s.txt").write_text("So.")
    (folder / "a").symlink_to(folder / "m")
    assert run(folder) == (["m/s", "z-good"], {"a": "a link to a folder that is read at its own place"})


def test_a_link_to_a_hidden_folder_is_the_one_way_to_it(folder):
    (folder / ".data").mkdir()
    (folder / ".data" / "s.txt").write_text("So.")
    (folder / "a").symlink_to(folder / ".data")
    (folder / "b").symlink_to(folder / ".data")
    assert run(folder) == (["a/s", "z-good"], {"b": "a link to a folder that was read already"})


def test_file_that_is_not_regular_is_refused_without_waiting(folder):
    os.mkfifo(folder / "a.txt")
    (folder / "b.txt").symlink_to("/dev/zero")
    (folder / "c.txt").mkdir()
    assert run(folder) == (
        ["z-good"],
        {"a.txt": "no regular file", "b.txt": "a link that leads outside the folder"},
    )
    assert run("/dev/zero", "/dev/null", kind="text")[1] == {
        "zero": "no regular file",
        "null": "no regular file",
    }


@pytest.mark.parametrize("name", ["z-good.meta.json", "_meta.yaml"])
@pytest.mark.parametrize("kind", ["fifo", "folder", "nowhere", "round", "outside", "large"])
def test_a_sidecar_that_cannot_be_read_is_no_sidecar_that_is_not_there(folder, name, kind, tmp_path_factory):
    sidecar = folder / name
    outside = tmp_path_factory.mktemp("outside") / "a"
    outside.write_text("{}")
    made = {
        "fifo": lambda: os.mkfifo(sidecar),
        "folder": sidecar.mkdir,
        "nowhere": lambda: sidecar.symlink_to(folder / "gone"),
        "round": lambda: sidecar.symlink_to(sidecar),
        "outside": lambda: sidecar.symlink_to(outside),
        "large": lambda: sidecar.write_bytes(b" " * (MEGABYTE + 1)),
    }
    made[kind]()
    found, refused = run(folder / "z-good.txt")
    assert found == []
    assert refused["z-good.txt"].startswith(f"its sidecar {name}: ")


def test_a_file_that_grows_while_it_is_read_gives_no_half_speech(folder, monkeypatch):
    path = folder / "a.txt"
    path.write_text("Half a speech.")
    read_before = indexer.formats.source.read_whole

    def and_then_it_grows(*given):
        data = read_before(*given)
        with path.open("a") as writer:
            writer.write(" The other half.")
        return data

    monkeypatch.setattr(indexer.formats.source, "read_whole", and_then_it_grows)
    assert run(path) == ([], {"a.txt": "changed while it was read"})


def test_rows_before_a_change_stay_and_the_change_is_told(folder):
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps({"id": str(n), "text": "So."}) + "\n" for n in range(5)))
    refused, found = [], []
    for document in read([folder], refused=refused.append):
        found.append(document.id)
        if document.id == "1":
            os.utime(path, (1, 1))
    assert found == ["0", "1", "2", "3", "z-good"]
    assert [each.reason for each in refused] == ["changed while it was read"]


def test_a_file_that_vanishes_after_it_was_listed_is_told_and_the_rest_is_read(folder):
    (folder / "a.txt").write_text("First.")
    (folder / "b.txt").write_text("Gone.")
    refused, found = [], []
    for document in read([folder], refused=refused.append):
        found.append(document.id)
        (folder / "b.txt").unlink(missing_ok=True)
    assert found == ["a", "z-good"]
    assert [each.reason for each in refused] == ["not there"]


def test_a_fifo_that_takes_a_file_s_place_holds_nobody_up(folder, monkeypatch):
    path = folder / "a.txt"
    os.mkfifo(path)
    monkeypatch.setattr(Path, "is_file", lambda self: True)  # the moment between the look and the opening
    output = []
    reader = threading.Thread(target=lambda: output.append(run(path)[1]), daemon=True)
    reader.start()
    reader.join(10)
    assert output == [{"a.txt": "no regular file"}]


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_file_without_permission_is_reported_to_an_ordinary_user():
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        folder.chmod(0o755)
        for each in ("a.txt", "b/c.txt", "d/e.txt", "z-good.txt"):
            (folder / each).parent.mkdir(exist_ok=True)
            (folder / each).write_text("Words.")
        for each, mode in (("a.txt", 0), ("b", 0), ("d", 0o744)):
            (folder / each).chmod(mode)
        output = in_a_child(
            f"""
        list(read([Path({str(folder / "z-good.txt")!r})], refused=print))  # loads what root may
        os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
        refused = []
        found = [each.id for each in read([Path({str(folder)!r})], refused=refused.append)]
        print(json.dumps([found, [[Path(each.file).name, each.reason] for each in refused]]))
            """
        )
    denied = "Permission denied"
    assert json.loads(output) == [["z-good"], [["a.txt", denied], ["b", denied], ["e.txt", denied]]]


def test_a_text_past_its_bound_is_refused_and_one_within_is_read(folder):
    (folder / "a.txt").write_bytes(b"word " * (LARGEST_TEXT_BYTES // 5) + b"w" * (LARGEST_TEXT_BYTES % 5 + 1))
    assert run(folder / "a.txt")[1] == {"a.txt": f"more than {LARGEST_TEXT_BYTES} bytes"}


def test_letters_that_find_no_room_are_handed_back_and_the_run_goes_on():
    unwritten = []
    letters = DeadLetters(
        Path("/dev/full"), lambda letter, why: unwritten.append((letter.reason, why.strerror))
    )
    for reason in ("no speech in it", "binary data, not text"):
        letters(TranscriptError("a", reason))
    assert letters.count == 2
    assert unwritten == [
        (each, "No space left on device") for each in ("no speech in it", "binary data, not text")
    ]


def test_half_a_letter_does_not_spoil_the_next_one(tmp_path):
    path, unwritten = tmp_path / "letters.jsonl", []
    letter = TranscriptError("a", "x" * 200)
    letters = DeadLetters(path, lambda letter, why: unwritten.append(letter))
    letters(letter)
    size_bytes = path.stat().st_size
    bound, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes + 50, hard))
    try:
        letters(letter)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bound, hard))
    letters(letter)
    assert unwritten == [letter]
    assert [json.loads(line)["reason"] for line in path.read_text().splitlines()] == [letter.reason] * 2


def test_reasons_are_counted_by_kind_and_a_flood_of_kinds_is_bounded(tmp_path):
    letters = DeadLetters(tmp_path / "letters.jsonl")
    for number in range(3):
        letters(
            TranscriptError(
                "a", f"the same id as another document: 'x{number}' stands in b.jsonl, line {number}"
            )
        )
    letters(TranscriptError("a", "not UTF-8 at byte 17 of the line"))
    letters(TranscriptError("a", "no YAML: mapping values are not allowed here"))
    assert letters.count_reasons(2) == [
        (3, "the same id as another document"),
        (1, "not UTF-8 at byte … of the line"),
        (1, "other reasons"),
    ]
    for number in range(2_000):
        letters(TranscriptError("a", "".join(chr(97 + int(digit)) for digit in str(number))))
    assert len(letters.count_reasons(10_000)) == 1_001


def in_a_child(code):
    """Run `code` in a new process with the names that a test needs, and return its output."""
    head = "import json, os\nfrom pathlib import Path\nfrom indexer.ingest import read\n"
    lines = "\n".join(line.removeprefix(" " * 8) for line in code.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", head + lines], capture_output=True, text=True, check=False, cwd=Path.cwd()
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
