"""Places for requests: by kind of work, with a share for each client and a short queue."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from rostrum.api.edge.capacity import ByteBudget, Capacity
from rostrum.api.edge.errors import Refused

WAIT_S = 0.2


def capacity(places: int = 4, *, most_waiting: int = 8, wait_s: float = WAIT_S) -> Capacity:
    return Capacity(places, "requests", most_waiting=most_waiting, wait_s=wait_s)


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())


async def refusal(place) -> Refused:
    with pytest.raises(Refused) as found:
        async with place:
            pass
    assert (found.value.status_code, found.value.code) == (429, "too_many_requests")
    assert found.value.headers == {"Retry-After": "1"}
    return found.value


def test_one_client_has_half_of_the_places_and_another_finds_the_rest() -> None:
    async def act() -> None:
        places = capacity(4)
        async with AsyncExitStack() as held:
            for _ in range(2):
                await held.enter_async_context(places.place("greedy"))
            assert "of this key, 2 requests" in (await refusal(places.place("greedy"))).detail
            for _ in range(2):
                await held.enter_async_context(places.place("other"))
            assert places.taken == 4
        assert places.taken == 0

    run(act)


def test_without_keys_one_client_may_have_all_places() -> None:
    async def act() -> None:
        places = capacity(4)
        async with AsyncExitStack() as held:
            for _ in range(4):
                await held.enter_async_context(places.place(None))
            assert "4 requests are being worked on" in (await refusal(places.place(None))).detail

    run(act)


def test_a_request_waits_for_a_place_in_the_order_in_which_it_came() -> None:
    async def act() -> None:
        places, served = capacity(2, wait_s=60), []

        async def serve(name: str) -> None:
            async with places.place(name):
                served.append(name)
                await asyncio.sleep(0.01)

        await asyncio.gather(*map(serve, "abcde"))
        assert served == list("abcde")
        assert places.taken == 0

    run(act)


def test_a_client_with_its_share_is_passed_over_in_the_queue() -> None:
    async def act() -> None:
        places, served = capacity(2), []
        may_end = {name: asyncio.Event() for name in ("greedy", "a", "b")}

        async def serve(name: str) -> None:
            async with places.place(name):
                served.append(name)
                await may_end[name].wait()

        first, other, second, third = (
            asyncio.create_task(serve(name)) for name in ("greedy", "a", "greedy", "b")
        )
        await asyncio.sleep(0)
        may_end["a"].set()
        may_end["b"].set()
        await third
        assert served == ["greedy", "a", "b"]
        with pytest.raises(Refused):
            await second
        may_end["greedy"].set()
        await asyncio.gather(first, other)
        assert places.taken == 0

    run(act)


def test_a_full_queue_refuses_at_once_and_one_client_has_half_of_it() -> None:
    async def act() -> None:
        places = capacity(2, most_waiting=2)
        async with AsyncExitStack() as held:
            for name in ("a", "b"):
                await held.enter_async_context(places.place(name))
            waiting = asyncio.create_task(refusal(places.place("c")))
            await asyncio.sleep(0)
            await refusal(places.place("c"))
            assert not waiting.done()  # it waits for as long as a request may, the second one did not
            await waiting

    run(act)


def test_a_request_that_is_given_up_while_it_waits_takes_no_place() -> None:
    async def act() -> None:
        places = capacity(1)
        async with places.place("a"):
            waiting = asyncio.create_task(places.place("b").__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert places.taken == 0
        async with places.place("c"):
            assert places.taken == 1

    run(act)


def test_a_request_that_is_given_up_as_its_turn_comes_gives_the_place_back() -> None:
    async def act() -> None:
        places = capacity(1)
        async with places.place("a"):
            waiting = asyncio.create_task(places.place("b").__aenter__())
            await asyncio.sleep(0)
        waiting.cancel()  # granted already, but not yet told
        await asyncio.gather(waiting, return_exceptions=True)
        assert places.taken == 0

    run(act)


def test_the_bodies_of_one_client_have_half_of_the_bytes() -> None:
    budget = ByteBudget(100)
    budget.hold("greedy", 50)
    with pytest.raises(Refused, match="with this key"):
        budget.hold("greedy", 1)
    budget.hold("other", 40)
    with pytest.raises(Refused, match="by all clients"):
        budget.hold("third", 10)
    for name, size_bytes in (("greedy", 51), ("other", 40), ("third", 10)):
        budget.give_back(name, size_bytes)
    budget.hold(None, 100)
