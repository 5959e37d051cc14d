import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from archive.shipped_files import locate_shipped
from embedded.generations import FORMAT
from embedded.store import EmbeddedStore

from .conftest import Rostrum

GETTYSBURG = "1863-11-19-gettysburg-address"


def test_a_speech_is_shown_with_its_attribution_and_numbered_paragraphs(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    shown = rostrum("show", GETTYSBURG, "--archive", sample_archive)
    assert shown.code == 0
    title, blank, first, *_ = shown.out.splitlines()
    assert title == "Abraham Lincoln, Gettysburg Address, November 19, 1863"
    assert blank == ""
    assert first.startswith("[1] Four score and seven years ago our fathers brought forth")


def test_a_single_paragraph_can_be_shown(rostrum: Rostrum, sample_archive: Path) -> None:
    shown = rostrum("show", GETTYSBURG, "--paragraph", "2", "--archive", sample_archive)
    assert "[2] Now we are engaged in a great civil war" in shown.out
    assert "[1]" not in shown.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["none"], "no document 'none'"),
        ([GETTYSBURG, "--paragraph", "99"], "no 99"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_shown_is_bad_input(
    rostrum: Rostrum, sample_archive: Path, options: list[str], complaint: str
) -> None:
    shown = rostrum("show", "--archive", sample_archive, *options)
    assert shown.code == 2
    assert complaint in shown.complaint


def test_an_id_in_another_form_of_its_characters_is_another_and_the_one_meant_is_named(
    rostrum: Rostrum, tmp_path: Path
) -> None:
    speeches = tmp_path / "speeches.jsonl"
    speeches.write_text(json.dumps({"id": "caf\u00e9", "text": "One two."}), "utf-8")
    assert rostrum("index", speeches, "--archive", tmp_path / "archive").code == 0
    assert "One two." in rostrum("show", "--archive", tmp_path / "archive", "caf\u00e9").out
    refused = rostrum("show", "--archive", tmp_path / "archive", "cafe\u0301")
    assert (refused.code, "did you mean 'caf\u00e9'?" in refused.complaint) == (2, True)


def test_the_speeches_of_an_archive_are_listed_in_order_of_their_ids(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    shown = rostrum("documents", "--archive", sample_archive)
    rows = [line.split("\t") for line in shown.out.splitlines()]
    assert (shown.code, len(rows), shown.complaint) == (0, 57, "57 documents")
    assert rows[0] == [
        "1796-09-19-farewell-address",
        "1796-09-19",
        "66",
        "George Washington",
        "Farewell Address",
    ]
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_the_listing_is_narrowed_as_recommendations_are_and_each_line_may_be_json(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    options = (
        "--speaker",
        "john f. kennedy",
        "--since",
        "1962-09",
        "--until",
        "1963-06-10",
        "--language",
        "EN",
    )
    shown = rostrum("documents", "--json", *options, "--archive", sample_archive)
    found = [json.loads(line) for line in shown.out.splitlines()]
    assert [each["id"] for each in found] == [
        "1962-09-12-address-space-effort",
        "1963-06-10-american-university-commencement",
    ]
    assert (found[0]["speaker"], found[0]["paragraphs"]) == ("John F. Kennedy", 33)
    none = rostrum("documents", "--collection", "none", "--archive", sample_archive)
    assert (none.code, none.out, none.complaint) == (0, "", "0 documents")


def test_a_title_cannot_break_the_lines_of_a_listing(rostrum: Rostrum, tmp_path: Path) -> None:
    speeches = tmp_path / "speeches.jsonl"
    speeches.write_text(json.dumps({"id": "a", "title": "One\u009b\ttwo", "text": "Three."}), "utf-8")
    assert rostrum("index", speeches, "--archive", tmp_path / "archive").code == 0
    assert rostrum("documents", "--archive", tmp_path / "archive").out == "a\t-\t1\t-\tOne two\n"


def test_speeches_are_deleted_by_one_generation_and_come_back_by_a_rollback(
    rostrum: Rostrum, tmp_path: Path
) -> None:
    speeches, archive = tmp_path / "speeches", tmp_path / "archive"
    speeches.mkdir()
    for name in "abc":
        (speeches / f"{name}.txt").write_text(f"We speak of {name}.")
    assert rostrum("index", speeches, "--archive", archive).code == 0
    shown = rostrum("delete", "a", "c", "a", "--archive", archive)
    assert (shown.code, shown.out) == (0, "documents: 2 deleted\npublished 000002\n")
    assert rostrum("documents", "--archive", archive).out.startswith("b\t")
    assert rostrum("show", "a", "--archive", archive).code == 2
    assert rostrum("generations", "rollback", "--archive", archive).code == 0
    assert "We speak of a." in rostrum("show", "a", "--archive", archive).out


def test_where_one_id_is_unknown_nothing_is_deleted(
    rostrum: Rostrum, sample_archive: Path, tmp_path: Path
) -> None:
    refused = rostrum("delete", GETTYSBURG, "x", "y", "--archive", sample_archive)
    assert (refused.code, refused.out) == (2, "")
    assert refused.complaint == "rostrum: no document 'x' in the archive (and 1 more)"
    assert len(rostrum("generations", "list", "--archive", sample_archive).out.splitlines()) == 2
    nowhere = rostrum("delete", "x", "--archive", tmp_path / "none")
    assert (nowhere.code, "nothing is published" in nowhere.complaint) == (1, True)


def test_nothing_is_deleted_while_another_writes(rostrum: Rostrum, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We speak.")
    archive = tmp_path / "archive"
    assert rostrum("index", tmp_path / "a.txt", "--archive", archive).code == 0
    with EmbeddedStore(archive) as other:
        published = other.published()
        assert published is not None
        other.begin(encoder=published.encoder, tokenizer=published.tokenizer)
        refused = rostrum("delete", "a", "--archive", archive)
    assert (refused.code, "another writer is at work" in refused.complaint) == (1, True)


def test_status_names_the_generations_their_counts_and_hashes(
    rostrum: Rostrum, sample_archive: Path, models: object
) -> None:
    shown = rostrum("status", "--archive", sample_archive)
    assert shown.code == 0
    row = next(line.split() for line in shown.out.splitlines() if "published" in line)
    assert row[2] == "57"
    assert row[4:6] == [models.hashes["encoder"], models.hashes["tokenizer"]]  # type: ignore[attr-defined]


def test_status_of_no_archive_says_so(rostrum: Rostrum, tmp_path: Path) -> None:
    shown = rostrum("status", "--archive", tmp_path / "none")
    assert shown.code == 0
    assert "nothing is indexed yet" in shown.out
    assert not (tmp_path / "none").exists()


def test_the_doctor_finds_a_whole_installation_well(rostrum: Rostrum, sample_archive: Path) -> None:
    shown = rostrum("doctor", "--archive", sample_archive)
    assert {line.split()[0] for line in shown.out.splitlines()} == {"ok"}
    assert shown.code == 0
    assert "57 documents" in shown.out


def test_the_doctor_is_content_without_an_archive(rostrum: Rostrum, tmp_path: Path) -> None:
    assert rostrum("doctor", "--archive", tmp_path / "none").code == 0


def test_the_doctor_finds_damaged_weights(
    rostrum: Rostrum, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(locate_shipped("models"), tmp_path / "models"))
    data = bytearray((folder / "words.safetensors").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "words.safetensors").write_bytes(data)
    monkeypatch.setenv("ROSTRUM_MODELS", str(folder))
    shown = rostrum("doctor", "--archive", tmp_path / "none")
    assert shown.code == 1
    bad = [line for line in shown.out.splitlines() if line.startswith("bad")]
    assert [line.split(":")[0] for line in bad] == ["bad weights", "bad engine"]
    assert all("words.safetensors" in line for line in bad)


def test_the_doctor_finds_a_damaged_archive(rostrum: Rostrum, tmp_path: Path, sample_archive: Path) -> None:
    folder = Path(shutil.copytree(sample_archive, tmp_path / "archive"))
    (folder / "published").write_text("{")
    shown = rostrum("doctor", "--archive", folder)
    assert shown.code == 1
    assert any(line.startswith("bad archive: ") for line in shown.out.splitlines())


def test_the_demo_prints_what_fits_into_five_drafts_and_names_the_next_commands(
    rostrum: Rostrum, sample_archive: Path, tmp_path: Path
) -> None:
    shutil.copytree(sample_archive, tmp_path / "cache" / "rostrum" / f"demo-{FORMAT}")
    shown = rostrum("demo", "--limit", "1")
    assert shown.code == 0
    assert shown.out.count("\n1. ") == 5
    named = [line.split() for line in shown.out.rstrip().splitlines() if line.startswith("  ")]
    assert [words[1] for words in named if words[0].endswith("rostrum")][-5:] == [
        "index",
        "recommend",
        "serve",
        "--help",
        "serve",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_every_shell(rostrum: Rostrum, shell: str) -> None:
    shown = rostrum("completion", shell)
    assert shown.code == 0
    assert "_ROSTRUM_COMPLETE" in shown.out


@pytest.mark.parametrize(
    "words",
    ["documents", "documents --json", "status", "completion bash", "--help", "index --help", "--version"],
)
def test_a_reader_that_stops_before_the_first_line_is_no_failure(
    process: Callable[..., subprocess.Popen[str]],
    sample_archive: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
) -> None:
    monkeypatch.setenv("ROSTRUM_ARCHIVE", str(sample_archive))
    with process(*words.split()) as started:
        started.stdout.close()
        messages = started.stderr.read()
        assert started.wait() == 0
    assert "Traceback" not in messages
    assert "Broken pipe" not in messages


def test_a_failure_keeps_its_exit_code_if_nobody_reads_its_message(
    process: Callable[..., subprocess.Popen[str]], sample_archive: Path
) -> None:
    with process("show", "nope", "--archive", sample_archive) as started:
        started.stderr.close()
        assert started.stdout.read() == ""
        assert started.wait() == 2


def test_without_a_command_the_help_is_shown(rostrum: Rostrum) -> None:
    shown = rostrum()
    assert shown.code == 2
    assert "recommend" in shown.err


def test_the_version_is_that_of_the_package(rostrum: Rostrum) -> None:
    from importlib.metadata import version

    assert rostrum("--version").out == f"rostrum {version('rostrum-quotes')}\n"
