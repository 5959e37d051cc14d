"""Send parts to workers, before any worker has one."""

import time

import pytest

from rostrum_core.errors import TaskError
from workers.app import make_app
from workers.presence import renew


def test_no_task_is_sent_after_the_deadline(runner, redis_url):
    renew(make_app(redis_url), ["rerank.cpu"])
    began = time.monotonic()
    with pytest.raises(TaskError, match="not all of 20000 parts could be sent in time"):
        runner.run("echo", [{"say": "more than can be sent"}] * 20_000, timeout_s=0.5)
    assert time.monotonic() - began < 8
