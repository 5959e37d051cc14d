"""`/v1/jobs`: refreshes asked for, told and cancelled over HTTP."""

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient
from redis import Redis

from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from tools.redis_server import RedisServer
from tools.service_process import ServiceProcess
from tools.worker_process import WorkerProcess

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """A database that nobody has used."""
    return redis_server.take_unused()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A folder with no archive yet."""
    return tmp_path / "archive"


@pytest.fixture
def alone(archive: Path) -> Iterator[TestClient]:
    """A client of a service that has no Redis."""
    app = make_app(assemble(replace(read_settings({}), archive=archive)))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def ended(url: str, job_id: str) -> dict[str, object]:
    deadline = time.monotonic() + 60
    while True:
        job: dict[str, object] = httpx2.get(f"{url}/v1/jobs/{job_id}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        assert time.monotonic() < deadline, job
        time.sleep(0.1)


def test_the_examples_of_the_page_run_on_a_worker(
    served: Callable[..., ServiceProcess], redis_url: str, archive: Path, tmp_path: Path
) -> None:
    sources = tmp_path / "sources"
    (sources / "2024").mkdir(parents=True)
    (sources / "2024" / "river.jsonl").write_text('{"id": "river", "paragraphs": ["The river runs."]}\n')
    url = served("--archive", archive, redis_url=redis_url, timeout_s="20").url
    settings = {"sources": str(sources), "archive": str(archive)}
    program = ("-m", "tests.workers.refreshing")
    worker = WorkerProcess(
        redis_url, tmp_path / "worker", "--queues", "refresh", program=program, settings=settings
    )
    try:
        worker.wait_ready()
        _, submit, listing, show, cancel = examples()
        job = run(submit, url, "")
        assert job["request"] == {
            "paths": ["2024/*.jsonl"],
            "kind": None,
            "mirror": False,
            "fresh": False,
            "fields": {},
        }
        done = ended(url, job["id"])
        assert (done["state"], done["error"]) == ("done", None)
        assert done["outcome"]["report"]["added"] == 1  # type: ignore[index]
        assert run(listing, url, "")["jobs"] == [done]
        assert run(show, url, job["id"]) == run(cancel, url, job["id"]) == done
    finally:
        worker.kill()


def examples() -> list[str]:
    [block] = re.findall(r"((?:^    .*v1/jobs\n)(?:^    .*\n)+)", PAGE.read_text("utf-8"), re.MULTILINE)
    return [line.strip() for line in block.splitlines()]


def run(line: str, url: str, job_id: str):
    command = f"JOBS={url}/v1/jobs ID={job_id}; {line}"
    return httpx2.Response(200, content=subprocess.check_output(["bash", "-c", command])).json()


def test_a_second_refresh_is_refused_and_the_first_is_cancelled(
    served: Callable[..., ServiceProcess], redis_url: str, archive: Path
) -> None:
    url = served("--archive", archive, redis_url=redis_url, timeout_s="20").url
    away = httpx2.post(f"{url}/v1/jobs", json={})
    assert (away.status_code, away.json()["error"]["code"]) == (503, "workers_unavailable")
    assert away.headers["retry-after"] == "5"
    with Redis.from_url(redis_url) as client:
        client.set("rostrum.worker.refresh", 1)  # a worker that is busy elsewhere
        first = httpx2.post(f"{url}/v1/jobs", json={"paths": ["a.txt"]})
        assert (first.status_code, first.json()["state"]) == (202, "waiting")
        second = httpx2.post(f"{url}/v1/jobs", json={})
        assert (second.status_code, second.json()["error"]["code"]) == (409, "archive_busy")
        assert first.json()["id"] in second.json()["error"]["message"]
        assert second.headers["retry-after"] == "5"
        cancelled = httpx2.delete(f"{url}/v1/jobs/{first.json()['id']}")
        assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
        assert httpx2.post(f"{url}/v1/jobs", json={}).status_code == 202
    for method in ("GET", "DELETE"):
        unknown = httpx2.request(method, f"{url}/v1/jobs/none")
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize(("method", "path"), [("POST", ""), ("GET", ""), ("GET", "/x"), ("DELETE", "/x")])
def test_without_a_redis_there_are_no_jobs(alone: TestClient, method: str, path: str) -> None:
    answer = alone.request(method, f"/v1/jobs{path}", json={} if method == "POST" else None)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_jobs"
    assert "ROSTRUM_REDIS_URL" in answer.json()["error"]["message"]


@pytest.mark.parametrize(("method", "path"), [("POST", ""), ("GET", ""), ("GET", "/x"), ("DELETE", "/x")])
def test_a_redis_that_is_away_is_what_the_answer_names(archive: Path, method: str, path: str) -> None:
    settings = replace(read_settings({}), archive=archive, redis_url="redis://127.0.0.1:1/0")
    with TestClient(make_app(assemble(settings)), base_url="http://127.0.0.1") as client:
        answer = client.request(method, f"/v1/jobs{path}", json={} if method == "POST" else None)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json()["error"]["code"] == "redis_unavailable"
    assert answer.json()["error"]["message"].startswith("Redis, ")


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"paths": "a.txt"}, "paths"),
        ({"paths": [""]}, "paths.0"),
        ({"kind": "mp3"}, "kind"),
        ({"mirror": 1}, "mirror"),
        ({"sources": "/"}, "sources"),
        ({"fields": {"body": "texts"}}, "fields"),
        ({"fields": {"body": 1}}, "fields.body"),
    ],
)
def test_a_job_that_cannot_be_is_bad_input(archive: Path, redis_url: str, sent: object, field: str) -> None:
    settings = replace(read_settings({}), archive=archive, redis_url=redis_url)
    with TestClient(make_app(assemble(settings)), base_url="http://127.0.0.1") as client:
        answer = client.post("/v1/jobs", json=sent)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
