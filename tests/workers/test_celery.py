"""Celery workers as processes, in use and in trouble: answers in order in time, or a TaskError."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from kombu import Connection
from redis import Redis

from rostrum_core.errors import BadInput, TaskError
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers import presence
from workers.app import make_app
from workers.runner.celery_runner import CeleryRunner

LONG_S = 90.0  # for what happens long before, on a slow machine too


@pytest.fixture
def behind(tmp_path):
    """Payload of the task `sleep`, which tells when it was begun and ends when it is let."""

    class Behind:
        def __init__(self):
            self.begun, self.end = tmp_path / "begun", tmp_path / "end"
            self.payload = {"begun": str(self.begun), "end": str(self.end)}

        def processes(self):
            return [int(line) for line in self.begun.read_text().split()] if self.begun.exists() else []

        def wait_begun(self, times=1):
            wait_until(lambda: len(self.processes()) >= times)

    return Behind()


def wait_until(fact):
    deadline = time.monotonic() + LONG_S
    while not fact():
        assert time.monotonic() < deadline, "it did not come to be in time"
        time.sleep(0.05)


@pytest.fixture
def aside():
    """A thread, for a call that others interrupt."""
    with ThreadPoolExecutor(4) as threads:
        yield threads


def test_a_part_whose_worker_is_killed_goes_to_another_and_counts_once(runner, start_worker, behind, aside):
    first = start_worker()
    called = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    second = start_worker()
    first.kill()
    behind.wait_begun(times=2)
    behind.end.touch()
    assert called.result() == [{"process": second.process.pid}]
    assert behind.processes() == [first.process.pid, second.process.pid]


def test_with_the_only_worker_killed_in_mid_task_the_call_ends_in_time(runner, start_worker, behind, aside):
    worker = start_worker()
    called = aside.submit(timed_out, runner, behind.payload, 20)
    behind.wait_begun()
    worker.kill()
    told, elapsed_s = called.result()
    assert told == "sleep: 0 of 1 parts done in 20.0 s"
    assert 20 <= elapsed_s < 25


def timed_out(runner, payload, timeout_s):
    """What is told of a call that ends without an answer, and after how many seconds."""
    began = time.monotonic()
    with pytest.raises(TaskError) as caught:
        runner.run("sleep", [payload], timeout_s=timeout_s)
    return str(caught.value), time.monotonic() - began


def test_a_part_that_kills_workers_is_given_up_and_the_worker_lives_on(runner, start_worker):
    worker = start_worker("--concurrency", "2")
    with pytest.raises(TaskError, match="2 workers were lost over a part"):
        runner.run("die", [{}], timeout_s=LONG_S)
    assert runner.run("echo", [{"say": "still here"}], timeout_s=LONG_S)[0]["said"] == "still here"
    assert worker.process.poll() is None


def test_what_expired_while_it_waited_is_not_computed(runner, start_worker, behind, aside, tmp_path):
    start_worker()
    first = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    late = {**behind.payload, "begun": str(tmp_path / "late")}
    with pytest.raises(TaskError, match="0 of 3 parts"):
        runner.run("sleep", [late] * 3, timeout_s=1)
    behind.end.touch()
    first.result()
    assert runner.run("echo", [{"say": "next"}], timeout_s=LONG_S)[0]["said"] == "next"
    assert not (tmp_path / "late").exists()


def test_a_part_that_fails_ends_the_call_and_takes_the_rest_out_of_work(
    runner, start_worker, behind, aside, tmp_path
):
    start_worker()
    late = {**behind.payload, "begun": str(tmp_path / "late")}
    with pytest.raises(TaskError, match="sleep failed: KeyError"):
        runner.run("sleep", [{}, behind.payload, *[late] * 4], timeout_s=LONG_S)
    behind.end.touch()
    assert runner.run("echo", [{"say": "next"}], timeout_s=LONG_S)[0]["said"] == "next"
    begun = (tmp_path / "late").read_text().splitlines() if (tmp_path / "late").exists() else []
    assert len(begun) <= 1  # a worker may fetch its next part before it hears of the end of the call


def test_nothing_of_a_call_stays_behind_in_redis(runner, start_worker, redis_server, redis_url):
    start_worker()
    runner.run("echo", [{"say": str(i)} for i in range(20)], timeout_s=LONG_S)
    keys = {key.decode() for key in runner_keys(redis_url)}
    assert not {key for key in keys if key.startswith(("celery-task-meta", "unacked"))}
    assert not keys & {"rerank.cpu", "rerank.gpu", "encode", "refresh"}


def runner_keys(redis_url):
    from redis import Redis

    with Redis.from_url(redis_url) as client:
        return client.keys("*")


def test_a_worker_that_is_asked_to_leave_finishes_its_part_first(runner, start_worker, behind, aside):
    worker = start_worker()
    called = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    worker.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    assert worker.process.poll() is None
    behind.end.touch()
    assert called.result() == [{"process": worker.process.pid}]
    assert worker.process.wait(LONG_S) == 0


def test_a_worker_that_lost_its_device_leaves_and_its_part_goes_to_another(runner, start_worker, aside):
    first = start_worker()
    called = aside.submit(runner.run, "lose", [{"process": first.process.pid}], timeout_s=LONG_S)
    assert first.process.wait(LONG_S) == 1
    second = start_worker()
    assert called.result() == [{"process": second.process.pid}]
    assert "no more work is taken: the device is gone" in first.told()


def test_without_any_worker_the_call_ends_at_once(runner):
    began = time.monotonic()
    with pytest.raises(TaskError, match=r"no worker takes from the queue rerank\.cpu"):
        runner.run("echo", [{"say": "hello"}], timeout_s=LONG_S)
    assert time.monotonic() - began < 5


def test_a_call_ends_once_nobody_has_taken_from_its_queue_for_a_while(
    runner, start_worker, behind, aside, redis_url, monkeypatch
):
    monkeypatch.setattr(presence, "ABSENCE_S", 1.0)
    monkeypatch.setattr(presence, "RENEWED_S", 0.2)
    worker = start_worker()
    called = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    worker.kill()
    with Redis.from_url(redis_url) as client:
        client.delete("rostrum.worker.rerank.cpu")  # as time does
    with pytest.raises(TaskError, match=r"no worker takes from the queue rerank\.cpu any more"):
        called.result(30)


def test_what_is_no_json_is_refused_and_the_worker_goes_on(runner, start_worker, redis_url):
    start_worker()
    with Connection(redis_url) as connection:
        connection.SimpleQueue("rerank.cpu").put({"task": "echo"}, serializer="pickle")
    assert runner.run("echo", [{"say": "next"}], timeout_s=LONG_S)[0]["said"] == "next"


@pytest.fixture
def own_redis(redis_server):
    """A Redis that a test may end; where there is none, `redis_server` skips or fails."""
    server = RedisServer()
    yield server
    server.close()


def test_after_redis_was_restarted_work_goes_on_without_another_restart(own_redis, models, tmp_path):
    runner = CeleryRunner(make_app(own_redis.url), "cpu", models.hashes)
    worker = WorkerProcess(own_redis.url, tmp_path / "log").wait_ready()
    try:
        draft = [{"title": "Moon", "left": "He spoke in Houston."}]
        before = runner.run("draft", draft, timeout_s=LONG_S)
        own_redis.end()
        began = time.monotonic()
        with pytest.raises(TaskError, match="Redis cannot be used"):
            runner.run("draft", draft, timeout_s=10)
        assert time.monotonic() - began < 10
        own_redis.start()
        wait_until(lambda: answered(runner, draft))
        after = runner.run("draft", draft, timeout_s=LONG_S)
        assert after[0]["vector"].tobytes() == before[0]["vector"].tobytes()
        assert worker.process.poll() is None
    finally:
        worker.kill()


def answered(runner, payloads):
    try:
        runner.run("draft", payloads, timeout_s=5)
    except TaskError:
        return False
    return True


def test_a_redis_that_says_nothing_is_a_task_error_in_time(own_redis, models):
    runner = CeleryRunner(make_app(own_redis.url), "cpu", models.hashes)
    os.kill(own_redis.process.pid, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(TaskError, match="Redis cannot be used"):
        runner.run("draft", [{"title": "", "left": ""}], timeout_s=10)
    assert time.monotonic() - began < 10


def test_a_worker_of_other_models_refuses_what_it_would_answer_wrongly(redis_url, models, start_worker):
    start_worker()
    mine = {**models.hashes, "encoder": "0" * 16, "ranker": "1" * 16}
    runner = CeleryRunner(make_app(redis_url), "cpu", mine)
    for task, part in (("draft", "encoder"), ("encode", "encoder"), ("rank", "ranker")):
        with pytest.raises(
            TaskError, match=f"^{task}: {part} of a worker and of its caller are not the same"
        ):
            runner.run(task, [{}], timeout_s=LONG_S)
    mine = {**models.hashes, "ranker": "1" * 16}
    runner = CeleryRunner(make_app(redis_url), "cpu", mine)
    assert len(runner.run("encode", [{"texts": ["So."]}], timeout_s=LONG_S)[0]["vectors"]) == 1


def test_a_variable_that_leads_celery_elsewhere_is_refused(redis_url, monkeypatch):
    monkeypatch.setenv("CELERY_BROKER_URL", "redis://127.0.0.1:1/0")
    with pytest.raises(BadInput, match="CELERY_BROKER_URL would win"):
        make_app(redis_url)


def test_a_password_opens_redis_and_is_told_to_nobody(redis_server, models):
    server = RedisServer(password="drowssap")
    try:
        assert answered_with(models, server.url) == "draft: no worker takes from the queue rerank.cpu"
        told = answered_with(models, server.url.replace("drowssap", "open-sesame"))
        assert "Redis cannot be used" in told
        assert "open-sesame" not in told
    finally:
        server.close()


def answered_with(models, url):
    runner = CeleryRunner(make_app(url), "cpu", models.hashes)
    with pytest.raises(TaskError) as caught:
        runner.run("draft", [{"title": "", "left": ""}], timeout_s=10)
    return str(caught.value)
