"""Workers or Redis away: the first stage answers in time and says so; back again, all is as before."""

import os
import signal
import time
from dataclasses import replace

import pytest

from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft
from tests.engines import QUICK
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess

MOON = Draft("Why a rocket to the moon is worth its price", "A young president stood in a football stadium.")
LONG_S = 90.0


@pytest.fixture(scope="module")
def own_redis(redis_server):
    """A Redis that a test may end; where there is none, `redis_server` skips or fails."""
    server = RedisServer()
    yield server
    server.close()


@pytest.fixture
def service(sample_archive, own_redis):
    return assemble(replace(read_settings({}), archive=sample_archive, redis_url=own_redis.url))


def stages(answer):
    return [entry.split(":")[0] for entry in answer.degraded]


def recovered(service):
    deadline = time.monotonic() + LONG_S
    while time.monotonic() < deadline:
        answer = service.recommend(MOON, timeout_s=LONG_S)
        if not answer.degraded:
            return answer
        time.sleep(0.2)
    raise AssertionError(answer.degraded)


def test_workers_and_redis_come_and_go_and_the_service_stays(service, own_redis, tmp_path):
    began = time.monotonic()
    alone = service.recommend(MOON, timeout_s=LONG_S)
    assert stages(alone)[0] == "dense"
    assert stages(alone)[-1] == "rank"
    assert "no worker takes from the queue rerank.cpu" in alone.degraded[0]
    assert time.monotonic() - began < LONG_S / 2
    assert len(alone.recommendations) == 10
    worker = WorkerProcess(own_redis.url, tmp_path / "log", settings=QUICK).wait_ready()
    try:
        whole = recovered(service)
        own_redis.end()
        without = service.recommend(MOON, timeout_s=LONG_S)
        assert "Redis cannot be used" in without.degraded[0]
        assert without.recommendations == alone.recommendations
        own_redis.start()
        assert recovered(service).recommendations == whole.recommendations
    finally:
        worker.kill()


def test_a_worker_that_hangs_leaves_the_first_stage_half_of_the_time(service, own_redis, tmp_path):
    worker = WorkerProcess(own_redis.url, tmp_path / "log", settings=QUICK).wait_ready()
    try:
        recovered(service)
        os.kill(worker.process.pid, signal.SIGSTOP)
        began = time.monotonic()
        answer = service.recommend(MOON, timeout_s=6)
        assert time.monotonic() - began < LONG_S / 2
        assert "draft: 0 of 1 parts done in 3.0 s" in answer.degraded[0]
        assert len(answer.recommendations) == 10
        os.kill(worker.process.pid, signal.SIGCONT)
        recovered(service)
    finally:
        worker.kill()


def test_neither_the_settings_nor_the_service_shows_the_password(sample_archive):
    settings = read_settings({"ROSTRUM_REDIS_URL": "redis://:drowssap@127.0.0.1:1/0"})
    assert settings.redis_url == "redis://:drowssap@127.0.0.1:1/0"
    assert "drowssap" not in repr(settings) + str(settings)
    answer = assemble(replace(settings, archive=sample_archive)).recommend(MOON, timeout_s=LONG_S)
    assert answer.degraded
    assert "drowssap" not in repr(answer)
