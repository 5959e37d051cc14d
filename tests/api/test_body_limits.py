"""Bodies that never end, or hardly come."""

import asyncio
import time

import pytest

from rostrum.api.edge import body_limits
from rostrum.api.edge.body_limits import BodyLimits, Limits
from rostrum.api.edge.errors import Refused


async def read_all(scope, receive, send) -> None:
    while (await receive()).get("more_body"):
        pass


def read_body(receive, *, limit_bytes: int = 100, headers=(), path: str = "/") -> None:
    app = BodyLimits(read_all, limits=Limits(limit_bytes, 0.3), own={"/bulk": Limits(1000, 0.3)})
    asyncio.run(app({"type": "http", "path": path, "headers": list(headers)}, receive, None))


async def trickle():
    await asyncio.sleep(0.05)
    return {"type": "http.request", "body": b"a", "more_body": True}


async def at_once():
    return {"type": "http.request", "body": b"a" * 60, "more_body": True}


def test_a_body_that_trickles_in_is_given_up_in_time() -> None:
    started = time.monotonic()
    with pytest.raises(Refused) as refused:
        read_body(trickle)
    assert (refused.value.status_code, refused.value.code) == (408, "body_too_slow")
    assert time.monotonic() - started < 30  # else it would trickle on for ever


def test_bytes_are_counted_as_they_come() -> None:
    with pytest.raises(Refused) as refused:
        read_body(at_once)
    assert (refused.value.status_code, refused.value.code) == (413, "too_large")


def test_an_announced_length_is_believed_before_anything_is_read() -> None:
    async def never():
        pytest.fail("it was read")

    with pytest.raises(Refused, match="larger than 100 bytes"):
        read_body(never, headers=[(b"content-length", b"101")])


def test_a_path_may_have_a_limit_of_its_own() -> None:
    with pytest.raises(Refused, match="larger than 1000 bytes"):
        read_body(at_once, path="/bulk")


def test_all_bodies_together_have_a_limit_until_their_requests_are_over() -> None:
    asyncio.run(_three_requests())


async def _three_requests() -> None:
    may_end = asyncio.Event()

    async def work(scope, receive, send) -> None:
        await read_all(scope, receive, send)
        await may_end.wait()

    async def small():
        return {"type": "http.request", "body": b"a" * 60}

    limits = BodyLimits(work, limits=Limits(100, 5, together_bytes=100), own={})
    scope = {"type": "http", "path": "/", "headers": []}
    first = asyncio.create_task(limits(scope, small, None))
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await limits(scope, small, None)
    assert (refused.value.status_code, refused.value.code) == (429, "too_many_requests")
    assert refused.value.headers == {"Retry-After": "1"}
    may_end.set()
    await first
    await limits(scope, small, None)


def test_the_time_in_which_the_service_is_busy_is_not_the_client_s() -> None:
    came = 0

    async def receive():
        nonlocal came
        came += 1
        if came == 1:  # something else blocks the loop for longer than a body may take
            asyncio.get_running_loop().call_soon(time.sleep, 0.6)
        await asyncio.sleep(0.03)
        return {"type": "http.request", "body": b"a", "more_body": came < 3}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body_limits, "LOOK_S", 0.05)
        read_body(receive)
    assert came == 3
