"""`rostrum refresh`, `rostrum jobs` and `rostrum beat`, over workers of refresh jobs and of encoding."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from rostrum.assemble import open_jobs
from rostrum_core.refresh_jobs import RefreshRequest
from rostrum_core.settings import read_settings
from tests.engines import QUICK
from tests.waiting import wait_until
from tools.program import ProgramProcess
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess

from .conftest import Rostrum

CHEAP = ("-m", "tests.workers.refreshing")


@pytest.fixture
def redis_url(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database that nobody has used."""
    url = redis_server.take_unused()
    monkeypatch.setenv("ROSTRUM_REDIS_URL", url)
    return url


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "river.txt").write_text("The river runs to the sea.")
    return folder


@pytest.fixture
def start(redis_url: str, sources: Path, tmp_path: Path) -> Iterator[Callable[..., ProgramProcess]]:
    """Starts a worker with these options; all end with the test."""
    started: list[WorkerProcess] = []

    def act(*options: str, **given: tuple[str, ...]) -> WorkerProcess:
        known = QUICK | {"sources": str(sources), "archive": str(tmp_path / "archive")}
        log = tmp_path / f"worker-{len(started)}"
        started.append(WorkerProcess(redis_url, log, *options, settings=known, **given))  # type: ignore[arg-type]
        return started[-1].wait_ready()

    yield act
    for each in started:
        each.kill()


def test_a_refresh_is_encoded_by_workers_waited_for_and_told(
    rostrum: Rostrum, start: Callable[..., WorkerProcess], sources: Path, tmp_path: Path
) -> None:
    start()
    start("--queues", "refresh")
    done = rostrum("refresh")
    assert done.code == 0, done.err
    job, counts, paragraphs, *unknown, published = done.out.splitlines()
    assert unknown == [line for line in unknown if "without a" in line]
    assert re.fullmatch(r"job [0-9a-f-]{36}: done", job)
    assert counts == "documents: 1 added"
    assert paragraphs == "paragraphs: 1 written, 1 encoded, 0 reused"
    assert published.startswith("published 000001 after ")
    assert "The river runs" in rostrum("show", "river", "--archive", tmp_path / "archive").out

    (sources / "export.jsonl").write_text('{"ref": "road", "body": "The road is long."}\n')
    mapped = rostrum("refresh", "export.jsonl", "--map", "text=body", "--map", "id=ref")
    assert (mapped.code, mapped.out.splitlines()[1]) == (0, "documents: 1 added")
    assert "The road is long." in rostrum("show", "road", "--archive", tmp_path / "archive").out
    (sources / "export.jsonl").unlink()

    (sources / "song.mp3").write_bytes(b"ID3")
    second = rostrum("refresh", "*", "--no-wait")
    [state] = second.out.splitlines()
    job_id = state.split()[1].rstrip(":")
    shown = rostrum("jobs", "show", job_id, "--wait")
    assert shown.code == 1
    assert "documents: 1 unchanged" in shown.out
    assert "1 refused: 1 no kind of file that is known by its suffix; see the dead letters" in shown.out
    listed = rostrum("jobs", "list").out.splitlines()
    assert listed[1].split()[0] == job_id
    assert rostrum("jobs", "cancel", job_id).out.startswith(f"job {job_id}: done\n")


def test_without_an_encoder_a_refresh_fails_and_says_so(
    rostrum: Rostrum, start: Callable[..., WorkerProcess]
) -> None:
    start("--queues", "refresh")
    failed = rostrum("refresh")
    assert failed.code == 1
    assert failed.out.splitlines()[-1] == "encode: no worker takes from the queue encode"


def test_a_full_disk_under_the_dead_letters_is_told_and_ends_nothing(
    rostrum: Rostrum, start: Callable[..., WorkerProcess], sources: Path, tmp_path: Path
) -> None:
    (sources / "speech.doc").write_bytes(b"?")
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "dead-letters.jsonl").symlink_to("/dev/full")
    worker = start("--queues", "refresh", program=CHEAP)
    done = rostrum("refresh")
    assert done.code == 1
    assert "documents: 1 added" in done.out
    assert "1 dead letters had no room in their file: see the worker's log" in done.out
    assert "(dead letters: No space" in worker.read_output()


@pytest.mark.parametrize("command", ["list", "show", "cancel"])
def test_jobs_need_a_redis_that_is_there(
    rostrum: Rostrum, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("jobs", command, *(["x"] if command != "list" else []))
    assert rostrum(*line).complaint == "rostrum: refresh jobs need a Redis: set ROSTRUM_REDIS_URL"
    monkeypatch.setenv("ROSTRUM_REDIS_URL", "redis://127.0.0.1:1/0")
    away = rostrum(*line)
    assert away.code == 1
    assert away.complaint.startswith("rostrum: jobs: Redis cannot be used: ")


def test_an_unknown_job_is_bad_input(rostrum: Rostrum, redis_url: str) -> None:
    shown = rostrum("jobs", "show", "x")
    assert (shown.code, shown.complaint) == (2, "rostrum: there is no job 'x'")


@pytest.mark.parametrize(
    ("options", "settings", "complaint"),
    [
        (["--queues", "refresh,encode"], {}, "a worker of the queue refresh takes from no other"),
        (["--queues", "refresh", "--concurrency", "2"], {}, "a worker of them is one process"),
        (["--queues", "refresh"], {}, "ROSTRUM_SOURCES"),
        (
            ["--queues", "refresh"],
            {"SOURCES": "/nowhere/at/all"},
            "ROSTRUM_SOURCES=/nowhere/at/all is not a folder",
        ),
    ],
)
def test_what_a_refresh_worker_cannot_be_is_told_in_one_line(
    rostrum: Rostrum,
    options: list[str],
    settings: dict[str, str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"ROSTRUM_{name}", value)
    shown = rostrum("worker", *options)
    assert shown.code == 2
    assert complaint in shown.complaint


def test_a_schedule_asks_for_a_refresh_and_leaves_out_one_that_is_at_work(
    start: Callable[..., WorkerProcess], redis_url: str, tmp_path: Path
) -> None:
    worker = start("--queues", "refresh", program=CHEAP)
    jobs = open_jobs(read_settings({"ROSTRUM_REDIS_URL": redis_url}))
    other = Redis.from_url(redis_url).lock("rostrum.refresh", timeout=90)
    assert other.acquire(blocking=False)
    schedule = {"redis_url": redis_url, "refresh_schedule": "* * * * *"}
    beat = ProgramProcess(tmp_path / "beat", ["beat", "*.txt"], schedule, ("-m", "tests.workers.hasty_beat"))
    try:
        wait_until(lambda: "a scheduled refresh is left out" in worker.read_output())
        assert jobs.list_all() == []
        other.release()
        wait_until(lambda: bool(jobs.list_all()))
    finally:
        assert beat.stop() == 0
    assert jobs.list_all()[-1].request == RefreshRequest(("*.txt",))
    assert "ready: asks for a refresh at * * * * *" in beat.read_output()


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({}, "a schedule needs a Redis: set ROSTRUM_REDIS_URL"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "there is no schedule: set ROSTRUM_REFRESH_SCHEDULE"),
        (
            {"REDIS_URL": "redis://127.0.0.1:1/0", "REFRESH_SCHEDULE": "at night"},
            "'at night' is not a schedule of minute",
        ),
        (
            {"REDIS_URL": "redis://127.0.0.1:1/0", "REFRESH_SCHEDULE": "61 * * * *"},
            "'61 * * * *' is not a schedule of minute",
        ),
    ],
)
def test_a_schedule_that_cannot_be_is_bad_input(
    rostrum: Rostrum, settings: dict[str, str], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"ROSTRUM_{name}", value)
    shown = rostrum("beat")
    assert shown.code == 2
    assert shown.complaint.startswith(f"rostrum: {complaint}")
