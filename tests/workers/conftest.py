"""Workers as processes, a database of Redis for each test, and the runner that speaks to them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reranker.models.loaded import Models
from tests.engines import QUICK
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers.app import make_app
from workers.runner.celery_runner import CeleryRunner
from workers.runner.tasks import TASKS, Task

from .strange import STRANGE

STRANGE_PROGRAM = ("-m", "tests.workers.strange")


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """A database of its own, so that no test meets what another left."""
    return redis_server.take_unused()


@pytest.fixture
def runner(redis_url: str, models: Models, monkeypatch: pytest.MonkeyPatch) -> CeleryRunner:
    """A runner to which the strange tasks are known."""
    for name, task in STRANGE.items():
        monkeypatch.setitem(TASKS, name, Task(task))
    return CeleryRunner(make_app(redis_url), "cpu", models.hashes)


@pytest.fixture
def start_worker(redis_url: str, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts a worker that knows the strange tasks, warm when it returns; all are ended after the test."""
    started: list[WorkerProcess] = []

    def start(*options: str) -> WorkerProcess:
        log = tmp_path / f"worker-{len(started)}"
        started.append(WorkerProcess(redis_url, log, *options, program=STRANGE_PROGRAM, settings=QUICK))
        return started[-1].wait_ready()

    yield start
    for each in started:
        each.kill()
