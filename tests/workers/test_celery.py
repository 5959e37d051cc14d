"""Celery workers as processes, in use and in trouble: answers in order in time, or a TaskError."""

import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from kombu import Connection
from redis import Redis

from archive.shipped_files import locate_shipped
from jobs.evidence.counter import Statement
from reranker.models.loaded import Models
from rostrum.assemble import assemble
from rostrum_core.deadline import watch_caller
from rostrum_core.errors import Abandoned, BadInput, ModelError, RedisFull, TaskError
from rostrum_core.evidence import Claim
from rostrum_core.settings import read_settings
from tests.engines import QUICK
from tests.waiting import LONG_S, wait_until
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers import presence
from workers.app import make_app
from workers.runner import celery_runner
from workers.runner.celery_runner import SENDINGS, CeleryRunner
from workers.runner.lost_parts import LOOK_S
from workers.runner.tasks import make_claim
from workers.runner.wire import require_same_models

from .strange import ENCODE_GATE


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


@pytest.fixture
def redis_client(redis_url):
    """A client of the test's Redis, which may take messages as a worker does that then loses power."""
    with Redis.from_url(redis_url) as client:
        yield client


def swallow(client, queue):
    """Take the next message off a queue and lose it, as a frozen worker whose BRPOP is open does."""
    wait_until(lambda: client.llen(queue))
    assert client.rpop(queue)


@pytest.mark.parametrize(
    ("task", "payload", "queue"),
    [("echo", {"say": "hello"}, "rerank.cpu"), ("encode", {"texts": ["So."]}, "encode")],
)
def test_a_part_that_is_lost_on_its_way_to_a_worker_is_sent_again(
    runner, start_worker, behind, aside, redis_client, task, payload, queue
):
    start_worker()
    busy = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    called = aside.submit(runner.run, task, [payload] * 3, timeout_s=LONG_S)
    wait_until(lambda: redis_client.llen(queue) == 3)
    swallow(redis_client, queue)
    began = time.monotonic()
    wait_until(lambda: redis_client.llen(queue) == 3)
    assert time.monotonic() - began < LONG_S / 2
    behind.end.touch()
    assert len(called.result()) == 3
    busy.result()


def test_a_part_that_is_lost_each_time_is_given_up(runner, start_worker, behind, aside, redis_client):
    start_worker()
    busy = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    called = aside.submit(runner.run, "echo", [{"say": "hello"}], timeout_s=LONG_S)
    for _ in range(SENDINGS):
        swallow(redis_client, "rerank.cpu")
    with pytest.raises(TaskError, match=f"echo: a part was lost {SENDINGS} times on its way to a worker"):
        called.result()
    behind.end.touch()
    busy.result()


def test_waiting_or_running_task_is_not_sent_again(runner, start_worker, behind, aside, redis_client):
    start_worker()
    called = aside.submit(runner.run, "sleep", [behind.payload] * 3, timeout_s=LONG_S)
    behind.wait_begun()
    time.sleep(4 * LOOK_S)
    assert redis_client.llen("rerank.cpu") == 2
    behind.end.touch()
    called.result()
    assert len(behind.processes()) == 3


def test_a_call_ends_once_nothing_was_answered_for_long(runner, start_worker, behind, aside, monkeypatch):
    monkeypatch.setattr(celery_runner, "STALLED_S", 2.0)
    start_worker()
    with pytest.raises(TaskError, match="sleep: 0 of 1 parts done, and none of the others in 2 s"):
        runner.run("sleep", [behind.payload], timeout_s=LONG_S)
    behind.end.touch()


def test_work_of_requests_is_taken_before_that_of_a_refresh(
    runner, start_worker, behind, aside, redis_client, tmp_path, monkeypatch
):
    gate = tmp_path / "gate"
    monkeypatch.setenv(ENCODE_GATE, str(gate))
    start_worker("--queues", "encode,rerank.cpu")
    gate.touch()  # a worker encodes an example before it is ready
    busy = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    refresh = aside.submit(runner.run, "encode", [{"texts": ["So."]}] * 4, timeout_s=LONG_S)
    wait_until(lambda: redis_client.llen("encode") == 4)
    request = aside.submit(runner.run, "echo", [{"say": str(i)} for i in range(4)], timeout_s=LONG_S)
    wait_until(lambda: redis_client.llen("rerank.cpu") == 4)
    behind.end.touch()
    assert [answer["said"] for answer in request.result(LONG_S / 2)] == ["0", "1", "2", "3"]
    assert gate.read_text() in ("", "somebody waits")  # no part of the refresh has ended
    assert not refresh.done()
    gate.unlink()
    busy.result()
    refresh.result()


def test_every_worker_has_a_name_of_its_own(runner, start_worker, redis_url):
    start_worker()
    start_worker()
    replies = make_app(redis_url).control.ping(timeout=3)
    names = [name for reply in replies for name in reply]
    assert len(set(names)) == 2
    assert all(name.startswith("rostrum-") and name.endswith(f"@{socket.gethostname()}") for name in names)


def test_with_the_only_worker_killed_in_mid_task_the_call_ends_in_time(runner, start_worker, behind, aside):
    worker = start_worker()
    called = aside.submit(timed_out, runner, behind.payload, 8)
    behind.wait_begun()
    worker.kill()
    message, elapsed_s = called.result()
    assert message == "sleep: 0 of 1 parts done in 8.0 s"
    assert 8 <= elapsed_s < LONG_S / 2


def timed_out(runner, payload, timeout_s):
    """Return the error of a call that ends without an answer, and after how many seconds it came."""
    began = time.monotonic()
    with pytest.raises(TaskError) as caught:
        runner.run("sleep", [payload], timeout_s=timeout_s)
    return str(caught.value), time.monotonic() - began


def test_a_part_that_kills_workers_is_given_up_and_the_worker_lives_on(runner, start_worker):
    worker = start_worker("--concurrency", "2")
    with pytest.raises(TaskError, match=r"[23] workers were lost over a part"):
        runner.run("die", [{}], timeout_s=LONG_S)
    assert runner.run("echo", [{"say": "still here"}], timeout_s=LONG_S)[0]["said"] == "still here"
    assert worker.process.poll() is None


def test_task_that_expired_while_waiting_is_not_computed(runner, start_worker, behind, aside, tmp_path):
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


def test_abandoned_task_is_not_computed(runner, start_worker, behind, aside, tmp_path):
    start_worker()
    first = aside.submit(runner.run, "sleep", [behind.payload], timeout_s=LONG_S)
    behind.wait_begun()
    late = {**behind.payload, "begun": str(tmp_path / "late")}
    leaving = time.monotonic() + 1
    with pytest.raises(Abandoned), watch_caller(lambda: time.monotonic() > leaving):
        runner.run("sleep", [late] * 3, timeout_s=LONG_S)
    assert time.monotonic() < leaving + LONG_S / 2
    behind.end.touch()
    first.result()
    assert runner.run("echo", [{"say": "next"}], timeout_s=LONG_S)[0]["said"] == "next"
    begun = (tmp_path / "late").read_text().splitlines() if (tmp_path / "late").exists() else []
    assert len(begun) <= 1  # a worker may fetch its next part before it hears of the end of the call


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


def test_call_leaves_no_key_in_redis(runner, start_worker, redis_server, redis_url):
    start_worker()
    runner.run("echo", [{"say": str(i)} for i in range(20)], timeout_s=LONG_S)
    left = ("celery-task-meta", "unacked", "rerank.cpu", "rerank.gpu", "encode", "refresh")
    with Redis.from_url(redis_url) as client:  # a worker answers, and then says that it has
        wait_until(lambda: not [key for key in client.keys("*") if key.decode().startswith(left)])


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
    assert "no more work is taken: the device is gone" in first.read_output()


def test_without_any_worker_the_call_ends_at_once(runner):
    began = time.monotonic()
    with pytest.raises(TaskError, match=r"no worker takes from the queue rerank\.cpu"):
        runner.run("echo", [{"say": "hello"}], timeout_s=LONG_S)
    assert time.monotonic() - began < LONG_S / 2


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
        called.result(LONG_S / 2)


def test_message_that_is_not_json_is_refused_and_the_worker_continues(runner, start_worker, redis_url):
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
    worker = WorkerProcess(own_redis.url, tmp_path / "log", settings=QUICK).wait_ready()
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


def test_a_worker_waits_until_a_full_redis_has_room(own_redis, models, tmp_path):
    runner = CeleryRunner(make_app(own_redis.url), "cpu", models.hashes)
    worker = WorkerProcess(own_redis.url, tmp_path / "log", settings=QUICK).wait_ready()
    draft = [{"title": "Moon", "left": "He spoke in Houston."}]
    try:
        before = runner.run("draft", draft, timeout_s=LONG_S)
        with Redis.from_url(own_redis.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "100kb")
            with pytest.raises(RedisFull, match="draft: Redis is full"):
                runner.run("draft", draft, timeout_s=10)
            time.sleep(10)  # the worker restores messages every 2 s and renews its presence every 5 s
            assert worker.process.poll() is None, worker.read_output()
            client.config_set("maxmemory", "0")
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


@pytest.fixture
def models_without_evidence(tmp_path):
    """The shipped models without the parts for evidence, which are optional."""
    shipped, folder = locate_shipped("models"), tmp_path / "models"
    manifest = json.loads((shipped / "manifest.json").read_text("utf-8"))
    files = {name: digest for name, digest in manifest["files"].items() if not name.startswith("evidence")}
    folder.mkdir()
    for name in files:
        (folder / name).symlink_to(shipped / name)
    (folder / "manifest.json").write_text(json.dumps(manifest | {"files": files}), "utf-8")
    return Models(folder)


def test_a_worker_refuses_a_task_whose_part_it_lacks_and_continues(
    redis_url, models_without_evidence, tmp_path
):
    settings = QUICK | {"models": str(models_without_evidence.manifest.folder)}
    worker = WorkerProcess(redis_url, tmp_path / "log", settings=settings).wait_ready()
    try:
        runner = CeleryRunner(make_app(redis_url), "cpu", models_without_evidence.hashes)
        with pytest.raises(TaskError, match=r"evidence: the models of a worker have no part 'evidence'"):
            runner.run("evidence", [make_claim()], timeout_s=LONG_S)
        assert len(runner.run("encode", [{"texts": ["So."]}], timeout_s=LONG_S)[0]["vectors"]) == 1
        assert worker.process.poll() is None
    finally:
        worker.kill()


@pytest.mark.parametrize("task", ["evidence", "evidence_estimate", "famous_gaps", "rank"])
def test_a_part_that_caller_and_worker_lack_is_not_the_same(task):
    of_all = {"tokenizer": "t", "encoder": "e"}
    with pytest.raises(TaskError, match=f"^{task}: the models of a worker have no part"):
        require_same_models(task, of_all, of_all)
    require_same_models("encode", of_all, of_all)
    require_same_models("rank", of_all | {"ranker": "r"}, of_all | {"ranker": "r", "early": "only here"})


def test_evidence_without_its_part_is_refused_before_anything_is_sent(
    sample_archive, models_without_evidence
):
    places = {"archive": sample_archive, "models": models_without_evidence.manifest.folder}
    service = assemble(replace(read_settings({}), **places, redis_url="redis://127.0.0.1:1/0"))
    for ask in (
        lambda: service.evidence(Claim("We will go to the moon.")),
        lambda: service.counter(Statement("We will go to the moon.")),
        service.make_sentence_ranker,
    ):
        with pytest.raises(ModelError, match="have no part 'evidence'"):
            ask()


def test_a_variable_that_leads_celery_elsewhere_is_refused(redis_url, monkeypatch):
    monkeypatch.setenv("CELERY_BROKER_URL", "redis://127.0.0.1:1/0")
    with pytest.raises(BadInput, match="CELERY_BROKER_URL would win"):
        make_app(redis_url)


def test_a_password_opens_redis_and_is_told_to_nobody(redis_server, models):
    server = RedisServer(password="drowssap")
    try:
        assert answered_with(models, server.url) == "draft: no worker takes from the queue rerank.cpu"
        message = answered_with(models, server.url.replace("drowssap", "open-sesame"))
        assert "Redis cannot be used" in message
        assert "open-sesame" not in message
    finally:
        server.close()


def test_a_semicolon_in_a_password_does_not_end_the_address(redis_server, models):
    server = RedisServer(password="drows;sap")
    try:
        presence.renew(make_app(server.url), ["rerank.cpu"])
        assert answered_with(models, server.url, timeout_s=2) == "draft: 0 of 1 parts done in 2.0 s"
    finally:
        server.close()


def answered_with(models, url, timeout_s=10):
    runner = CeleryRunner(make_app(url), "cpu", models.hashes)
    with pytest.raises(TaskError) as caught:
        runner.run("draft", [{"title": "", "left": ""}], timeout_s=timeout_s)
    return str(caught.value)
