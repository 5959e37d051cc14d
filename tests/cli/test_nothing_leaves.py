"""Nothing leaves the machine: no command connects beyond loopback, or writes outside its own folders.

Every command runs in a process of its own under strace, which sees what native code does too.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from embedded.generations import FORMAT
from rostrum.cli import program
from tools.program import ROOT
from tools.redis_server import RedisServer
from tools.strace import StraceMissing, Trace, trace

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, "-B", "-c", "from rostrum.cli import main; main()")
UNUSED_URL = "http://127.0.0.1:9"
SPEECHES = [
    {
        "id": "moon",
        "title": "Space effort",
        "speaker": "K",
        "date": "1962-09-12",
        "paragraphs": [
            "Thank you all for coming to this great university today.",
            "We choose to go to the moon in this decade and do the other things.",
        ],
    },
    {"id": "wall", "title": "Berlin", "paragraphs": ["Tear down this wall, and open this gate."]},
]
ARTICLE = {
    "id": "a",
    "title": "Moon",
    "published": "1962-09-13",
    "text": "Kennedy spoke. “We choose to go to the moon,” he said, “in this decade.”",
}
PAIR = {
    "id": "p", "title": "Going to the moon", "left": "Kennedy named a goal: the moon, in a decade.",
    "published": "1962-09-13", "document": "moon", "paragraph": 1, "last_paragraph": 1, "start": 0, "end": 28,
    "repeated": False,
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A command as users run it. `ready`: a service, stopped once this is in its output."""

    arguments: Sequence[str]
    settings: dict[str, str] = field(default_factory=dict)
    codes: tuple[int, ...] = (0,)
    says: str = ""
    ready: str | None = None
    redis: bool = False

    @property
    def name(self) -> str:
        return " ".join(self.arguments[:2])


STOPPED = (-signal.SIGTERM,)
NO_TORCH = Case(
    ("train", "--data", "data", "--out", "out"), codes=(1,), says="training needs more"
)  # training itself is traced in tests/training
CASES = (
    Case(("--version",), says="rostrum 0"),
    Case(("--help",), says="Commands:"),
    Case(("index", "speeches.jsonl"), says="published"),
    Case(("recommend", "--title", "The moon", "--left", "He said why we go to the moon."), says="moon"),
    Case(
        ("recommend", "--title", "The moon", "--left", "He said why we go to the moon."),
        {"engine": "openvino"},
        says="moon",
    ),
    Case(("demo", "--limit", "1"), says="rostrum --help"),
    Case(("verify", "draft.md", "--record", "check.html"), says="moon"),
    Case(("evidence", "We choose to go to the moon."), says="moon"),
    Case(("famous", "--list", "quotes.jsonl", "--left", "As the president said:"), says="moon"),
    Case(("canary", "save", "moon", "--title", "The moon", "--left", "He said why we go."), says="moon"),
    Case(("repeats", "wall", "1"), says=""),
    Case(("documents",), says="wall"),
    Case(("show", "wall"), says="Tear down"),
    Case(("delete", "wall"), says="deleted"),
    Case(("status",), says="paragraphs"),
    Case(("doctor",), says="ok"),
    Case(("doctor",), {"engine": "openvino"}, says="ok"),
    Case(("generations", "list"), says="000001"),
    Case(("serve", "--port", "0"), codes=STOPPED, ready='"status": 200'),
    Case(("serve", "--port", "0"), {"engine": "openvino"}, codes=STOPPED, ready='"status": 200'),
    Case(("key", "add", "newsroom", "--file", "keys.json"), says=""),
    Case(("opensearch", "status"), {"opensearch_url": UNUSED_URL}, codes=(1,), says="bad"),
    Case(("worker",), ready="ready: ", redis=True),
    Case(("worker", "--queues", "refresh"), {"sources": "."}, ready="ready: ", redis=True),
    Case(("refresh", "--no-wait"), codes=(1,), says="no worker takes", redis=True),
    Case(("jobs", "list"), says="rostrum refresh", redis=True),
    Case(("beat",), {"refresh_schedule": "0 3 * * *"}, ready="refresh", redis=True),
    Case(("evaluate", "pairs.jsonl", "--documents", "speeches.jsonl", "--report", "report"), says="BM25"),
    Case(("align", "articles.jsonl", "--documents", "speeches.jsonl", "--pairs", "out.jsonl"), says="pairs"),
    NO_TORCH,
    Case(("models", "list"), says="shipped"),
    Case(("completion", "bash"), says="complete"),
)


@pytest.fixture
def traced(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[Case], Trace]:
    """Runs a case with a home, a cache and a temporary folder of its own."""
    for name in ("home", "tmp", "work"):
        (tmp_path / name).mkdir()
    work = tmp_path / "work"
    for name, rows in (("speeches", SPEECHES), ("articles", [ARTICLE]), ("pairs", [PAIR])):
        (work / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (work / "draft.md").write_text(
        "He said: “We choose to go to the moon in this decade.” So he did.", "utf-8"
    )
    (work / "quotes.jsonl").write_text('{"text": "We choose to go to the moon."}\n', "utf-8")
    (work / "data").mkdir()

    def run(case: Case) -> Trace:
        settings = {"archive": str(work / "archive"), **case.settings}
        if case.redis:
            server: RedisServer = request.getfixturevalue("redis_server")
            settings["redis_url"] = server.take_unused()
        environment = _environment(tmp_path, settings)
        ready = None if case.ready is None else partial(_ready, case.ready)
        try:
            return trace((*PROGRAM, *case.arguments), folder=work, environment=environment, ready=ready)
        except StraceMissing as missing:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))

    return run


def _ready(text: str, output: str) -> bool:
    """Tell whether a process said `text`; a service is asked for an answer of its models first."""
    address = re.search(r'"serving", "url": "([^"]+)"', output)
    if address and text not in output:
        body = json.dumps({"title": "The moon", "left": "He said why we go to the moon."}).encode()
        ask = Request(f"{address[1]}/v1/recommend", body, {"Content-Type": "application/json"})
        with urlopen(ask, timeout=120) as answer:
            assert json.load(answer)["recommendations"]
    return text in output


def _environment(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    own = {f"ROSTRUM_{name.upper()}": value for name, value in settings.items()}
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | own | {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT)}


def _folders(folder: Path) -> tuple[Path, ...]:
    home = folder / "home"
    return (
        folder / "work",
        home / ".cache" / "rostrum",
        home / ".local" / "share" / "rostrum",
        *(path for path in (home / ".cache", home / ".local", home / ".local" / "share") if path.exists()),
    )


def _left_over(folder: Path) -> list[Path]:
    own = _folders(folder)[:3]
    found = (path for name in ("home", "tmp") for path in (folder / name).rglob("*") if path.is_file())
    return sorted(path for path in found if not any(path.is_relative_to(each) for each in own))


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of `SPEECHES`, which commands that read one get a copy of."""
    folder = tmp_path_factory.mktemp("indexed")
    speeches = folder / "speeches.jsonl"
    speeches.write_text("".join(json.dumps(row) + "\n" for row in SPEECHES), "utf-8")
    command = (*PROGRAM, "index", str(speeches))
    environment = os.environ | {"ROSTRUM_ARCHIVE": str(folder / "archive"), "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return folder / "archive"


def test_every_command_has_a_case() -> None:
    assert set(program.commands) <= {case.arguments[0] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name} {' '.join(case.settings.values())}")
def test_no_command_connects_beyond_loopback_or_writes_outside_its_folders(
    case: Case, traced: Callable[[Case], Trace], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if case.arguments[0] == "demo":
        samples: Path = request.getfixturevalue("sample_archive")
        shutil.copytree(samples, tmp_path / "home" / ".cache" / "rostrum" / f"demo-{FORMAT}")
    if case.arguments[0] in (
        "verify",
        "evidence",
        "recommend",
        "documents",
        "show",
        "delete",
        "status",
        "canary",
        "generations",
        "repeats",
        "serve",
    ):
        shutil.copytree(request.getfixturevalue("indexed"), tmp_path / "work" / "archive")
    found = traced(case)
    assert found.code in case.codes, found.output
    assert case.says in found.output
    assert found.list_foreign() == []
    assert found.list_outside(*_folders(tmp_path), tmp_path / "tmp") == []
    assert _left_over(tmp_path) == []


def test_the_trace_sees_connections_and_files_of_native_code(tmp_path: Path) -> None:
    """A control: a UDP socket is connected, which sends nothing, and SQLite writes a file."""
    code = (
        "import socket, sqlite3; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 53));"
        "sqlite3.connect('native.db').execute('create table a(b)')"
    )
    try:
        found = trace((sys.executable, "-B", "-c", code), folder=tmp_path, environment=dict(os.environ))
    except StraceMissing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    assert found.list_foreign() == [("192.0.2.1", 53)]
    assert tmp_path / "native.db" in found.list_outside(tmp_path / "elsewhere")
