"""The demo and its options."""

import os
from pathlib import Path

import pytest

from rostrum.cli import program
from rostrum.cli.demo import NEXT, demo, locate_demo_archive, name_program


def test_one_result_is_shown_for_each_draft_unless_more_are_asked_for() -> None:
    assert demo.make_context("demo", []).params == {"limit": 1}


def test_a_user_without_a_home_gets_a_temporary_archive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert locate_demo_archive().is_dir()


@pytest.mark.parametrize("value", ["", "cache"])
def test_a_cache_folder_that_is_not_absolute_counts_as_unset(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert locate_demo_archive().parent == tmp_path / ".cache" / "rostrum"


def test_an_archive_that_cannot_be_written_is_replaced_by_a_temporary_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = locate_demo_archive()
    assert locate_demo_archive() == own
    monkeypatch.setattr(os, "access", lambda path, mode: path != own)  # root may write all
    other = locate_demo_archive()
    assert other.is_dir()
    assert other != own
    other.rmdir()


def test_the_demo_ends_by_naming_commands_that_there_are_the_service_among_them() -> None:
    named = [line.split()[1] for line in NEXT.splitlines() if line.startswith("  rostrum")]
    assert "serve" in named
    assert set(named) - {"--help"} <= set(program.commands)


def test_the_demo_ends_by_naming_the_command_that_serves_the_page() -> None:
    last = NEXT.format(command=f"{name_program()} serve --open --archive FOLDER").splitlines()[-1]
    program_name, *options = last.split()
    assert options == ["serve", "--open", "--archive", "FOLDER"]
    assert Path(program_name).name == "rostrum"
    context = program.commands["serve"].make_context("serve", options[1:])
    assert (context.params["opens_page"], context.params["archive"]) == (True, Path("FOLDER"))
