"""What the house promises of itself: layout, documents, version."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from packaging.specifiers import SpecifierSet

from rostrum.cli import program
from rostrum_core.settings import PREFIX, Settings
from tools.render_settings import render_page

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
GIT = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
MACHINE_PATH = re.compile(r"(?<![\w.:/-])(/(root|work|workspace|mnt)|/(home|Users)/\w+|[A-Z]:\\Users)[/\\]")


def tracked_texts() -> Iterator[tuple[str, str]]:
    names = subprocess.run(GIT, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, names.stdout.split("\0")):
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        if b"\0" not in data:
            yield name, data.decode("utf-8", "replace")


def commands(group: click.Group, path: str = "rostrum") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_top_level_package_resolves_to_this_checkout(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).resolve() == ROOT / package / "__init__.py"


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert render_page(page) == page
    documented = set(re.findall(rf"^\| `({PREFIX}\w+)`", page, re.MULTILINE))
    assert documented == {PREFIX + field.name.upper() for field in fields(Settings)}


def test_every_command_and_option_is_documented() -> None:
    sections = re.split(r"^## ", (ROOT / "docs" / "commands.md").read_text(), flags=re.MULTILINE)
    section = {text.partition("\n")[0].strip("` "): text for text in sections}
    for path, command in commands(program):
        assert path in section
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert f"`{max(parameter.opts, key=len)}" in section[path], f"{path}: {parameter.opts}"


def test_no_documented_command_is_missing() -> None:
    headings = re.findall(r"^## `(rostrum .*)`$", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert set(headings) == {path for path, _ in commands(program)}


def test_the_help_of_every_command_ends_with_an_example() -> None:
    for path, command in commands(program):
        last = (command.help or "").replace("\b", "").strip().splitlines()[-1].strip()
        assert last.startswith(("rostrum ", "source ")), f"{path}: {last}"


def test_every_pinned_package_installs_on_the_oldest_python() -> None:
    """Debian 12 has Python 3.11.2, and a package may ask for a later patch release."""
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    for pin in pins:
        try:
            needed = metadata(pin).get("Requires-Python")
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
        assert needed is None or SpecifierSet(needed).contains("3.11.2"), f"{pin} needs Python {needed}"


def test_the_list_of_commands_is_ordered_by_use_and_cuts_no_sentence() -> None:
    shown = CliRunner().invoke(program, ["--help"], prog_name="rostrum", terminal_width=80).output
    listed = re.findall(r"^  (\w+) {2,}(.+)$", shown.partition("Commands:")[2], re.MULTILINE)
    assert [name for name, _ in listed][:3] == ["index", "recommend", "demo"]
    assert len(listed) == len(program.commands)
    assert all(sentence.endswith(".") and not sentence.endswith("...") for _, sentence in listed)


def test_no_tracked_file_holds_a_path_of_a_machine() -> None:
    found = [
        f"{name}: {match.group()}" for name, text in tracked_texts() for match in MACHINE_PATH.finditer(text)
    ]
    assert found == []


def test_every_extra_that_is_named_can_be_installed() -> None:
    named = {
        extra
        for _, text in tracked_texts()
        for extras in re.findall(r"pip install.*'(?:rostrum-quotes|\.)\[([\w,]+)\]", text)
        for extra in extras.split(",")
    }
    assert {"api", "cluster"} < named <= PROJECT["project"]["optional-dependencies"].keys()


def test_no_one_is_sent_to_the_other_project_that_is_called_rostrum_on_the_package_index() -> None:
    assert PROJECT["project"]["name"] == "rostrum-quotes"
    theirs = re.compile(r"pip install[^\n]* '?rostrum\b(?!-)")
    assert [name for name, text in tracked_texts() if theirs.search(text)] == []


def test_the_version_is_the_newest_of_the_changelog() -> None:
    versions = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == PROJECT["project"]["version"]


def test_the_constraints_pin_versions_and_name_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line) for line in lines)
