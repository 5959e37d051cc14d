from pathlib import Path

import click
import pytest

from rostrum.cli.options import PathType, load_settings


def test_the_archive_of_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_ARCHIVE", "elsewhere")
    assert load_settings().archive == Path("elsewhere")
    assert load_settings(Path("here")).archive == Path("here")


def test_the_archive_of_the_command_line_needs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_ARCHIVE", "")
    assert load_settings(Path("here")).archive == Path("here")


def test_an_unset_variable_in_quotes_is_not_the_current_folder() -> None:
    assert PathType().convert(".", None, None) == Path()
    with pytest.raises(click.UsageError, match="it is empty"):
        PathType().convert("", None, None)
