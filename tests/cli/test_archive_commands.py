import json
import shutil
from pathlib import Path

import pytest

from embedded.generations import FORMAT
from rostrum.service.shipped import shipped

from .conftest import Rostrum

GETTYSBURG = "1863-11-19-gettysburg-address"


def test_a_speech_is_shown_with_its_attribution_and_numbered_paragraphs(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    shown = rostrum("show", GETTYSBURG, "--archive", sample_archive)
    assert shown.code == 0
    title, blank, first, *_ = shown.out.splitlines()
    assert title == "Abraham Lincoln, gettysburg address, 1863-11-19"
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


def test_an_id_is_read_in_any_form_of_its_characters(rostrum: Rostrum, tmp_path: Path) -> None:
    speeches = tmp_path / "speeches.jsonl"
    speeches.write_text(json.dumps({"id": "caf\u00e9", "text": "One two."}), "utf-8")
    assert rostrum("index", speeches, "--archive", tmp_path / "archive").code == 0
    assert "One two." in rostrum("show", "--archive", tmp_path / "archive", "cafe\u0301").out


def test_status_names_the_generations_their_counts_and_hashes(
    rostrum: Rostrum, sample_archive: Path, models: object
) -> None:
    shown = rostrum("status", "--archive", sample_archive)
    assert shown.code == 0
    row = next(line.split() for line in shown.out.splitlines() if "published" in line)
    assert row[2] == "57"
    assert row[4:6] == [models.hashes.encoder, models.hashes.tokenizer]  # type: ignore[attr-defined]


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
    folder = Path(shutil.copytree(shipped("models"), tmp_path / "models"))
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
    named = [line.split() for line in shown.out.rstrip().splitlines()[-4:]]
    assert [words[:2] for words in named] == [
        ["rostrum", "index"],
        ["rostrum", "recommend"],
        ["rostrum", "serve"],
        ["rostrum", "--help"],
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_every_shell(rostrum: Rostrum, shell: str) -> None:
    shown = rostrum("completion", shell)
    assert shown.code == 0
    assert "_ROSTRUM_COMPLETE" in shown.out


def test_without_a_command_the_help_is_shown(rostrum: Rostrum) -> None:
    shown = rostrum()
    assert shown.code == 2
    assert "recommend" in shown.err


def test_the_version_is_that_of_the_package(rostrum: Rostrum) -> None:
    from importlib.metadata import version

    assert rostrum("--version").out == f"rostrum {version('rostrum-quotes')}\n"
