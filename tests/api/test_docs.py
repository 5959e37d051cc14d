"""The examples of docs/api.md that ask a service, run against one."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from archive.shipped_files import locate_shipped
from rostrum.cli import program
from rostrum_core.settings import read_settings
from tests.engines import QUICK
from tools.service_process import ServiceProcess

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
ADDRESS = "http://127.0.0.1:8000"


def examples(begins: str) -> list[str]:
    """The indented blocks of the page that begin so."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE.read_text("utf-8"), re.MULTILINE)
    return [dedent(block).strip() for block in blocks if dedent(block).strip().startswith(begins)]


@pytest.fixture(scope="module")
def address(sample_archive, tmp_path_factory) -> Iterator[str]:
    """Of a service over a copy of the sample archive."""
    folder = tmp_path_factory.mktemp("service")
    own = shutil.copytree(sample_archive, folder / "archive")
    process = ServiceProcess(folder / "log", "--archive", str(own), timeout_s="280", candidates="20", **QUICK)
    yield process.wait_serving().url
    process.stop()


def installed(name: str) -> str:
    """A program that examples need; without it, tests skip on a laptop and fail in CI."""
    if (found := shutil.which(name)) is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{name} is not installed")
    return found


def printed(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_recommendations(printed_text: str) -> None:
    first = printed_text.splitlines()[0]
    assert first.startswith("1. “")
    assert first.endswith("” – John F. Kennedy, Address on the Space Effort, September 12, 1962")
    assert len(printed_text.splitlines()) == 10


def test_the_examples_for_curl_run(address) -> None:
    installed("curl")
    found = [
        line for each in (*examples("curl"), *examples("printf")) for line in re.split(r"\n(?=curl)", each)
    ]
    assert len(found) >= 10
    for line in found:
        printed_text = printed("bash", "-c", line.replace(ADDRESS, address))
        assert "/metrics" in line or "error" not in json.loads(printed_text), line


def test_the_examples_in_python_run(address) -> None:
    [recommending] = examples("from rostrum.client import Client")
    check_recommendations(printed(sys.executable, "-c", recommending.replace(ADDRESS, address)))
    [filling] = examples("import asyncio")
    assert printed(sys.executable, "-c", filling.replace(ADDRESS, address)) == (
        "3 added, 0 refused\nno document 'speech-0' in the archive\n"
    )


def test_the_example_in_javascript_runs(address) -> None:
    node = installed("node")
    [example] = examples("const answer")
    check_recommendations(printed(node, "--input-type=module", "-e", example.replace(ADDRESS, address)))


def test_the_example_of_the_command_line_runs(address) -> None:
    [example] = examples("rostrum recommend")
    words = (
        example.replace(ADDRESS, address)
        .replace("draft.md", str(locate_shipped("samples/drafts/moon.md")))
        .split()
    )
    printed_text = printed(sys.executable, "-c", "from rostrum.cli import main; main()", *words[1:])
    assert printed_text.startswith("1. ")


def commands() -> list[tuple[dict[str, str], list[str]]]:
    """Lines of the page that are commands of ours: the variables before each, and its words."""
    lines = re.findall(r"^    ((?:[A-Z_]+=\S+ )*)rostrum (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [(dict(each.split("=", 1) for each in pairs.split()), words.split()) for pairs, words in lines]


def test_every_command_of_the_page_is_one_with_settings_there_are() -> None:
    found = commands()
    assert {words[0] for _, words in found} >= {"index", "serve", "key", "recommend"}
    for variables, words in found:
        ours = {name: value for name, value in variables.items() if name.startswith("ROSTRUM_")}
        assert read_settings({"ROSTRUM_ARCHIVE": "a", **ours})
        name, command, rest = program.resolve_command(program.make_context("rostrum", words), words)
        assert command.make_context(name, [each for each in rest if each != "PATHS..."])


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """A folder where the page's `rostrum index` and `rostrum key` have run, over one speech."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "speeches").mkdir()
    (folder / "speeches" / "moon.txt").write_text("We choose to go to the moon in this decade.\n", "utf-8")
    for _, words in commands():
        if words[0] in ("index", "key"):
            subprocess.run(
                [sys.executable, "-c", "from rostrum.cli import main; main()", *words],
                cwd=folder,
                env=os.environ | {"ROSTRUM_ARCHIVE": "archive"},
                check=True,
            )
    return folder


SERVING = [(printed_text, words[1:]) for printed_text, words in commands() if words[0] == "serve"]


@pytest.mark.parametrize(("variables", "options"), SERVING, ids=str)
def test_the_service_starts_with_the_settings_and_options_of_each_command(
    desk, variables, options, monkeypatch
) -> None:
    monkeypatch.chdir(desk)
    settings = {"archive": str(desk / "archive")}
    for name, value in variables.items():
        setting = str(desk / value) if (desk / value).is_file() else value
        if name.startswith("ROSTRUM_"):
            settings[name.removeprefix("ROSTRUM_").lower()] = setting
        else:
            monkeypatch.setenv(name, setting)
    process = ServiceProcess(desk / "log", *options, **settings)
    host = options[options.index("--host") + 1] if "--host" in options else "127.0.0.1"
    try:
        assert process.wait_serving().url.startswith(f"http://{host}:")
    finally:
        process.stop()
