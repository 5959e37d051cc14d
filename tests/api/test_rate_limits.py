"""A client may ask so often, and none uses up another's share."""

import asyncio
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.api.edge.rate_limits import ADDRESSES, RateLimits, name_address_counter

from .conftest import LOOPBACK

PATH = "/v1/documents?limit=1"


def limited(service: Service, client: tuple[str, int] = ("127.0.0.1", 1), **settings) -> TestClient:
    settings = replace(service.settings, api_requests_per_minute=3, **settings)
    app = make_app(Service(settings, service.store, service.runner, service.models))
    return TestClient(app, base_url=LOOPBACK, client=client)


def statuses(client: TestClient, count: int, key: str | None = None) -> list[int]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return [client.get(PATH, headers=headers).status_code for _ in range(count)]


def test_one_request_more_than_the_rate_is_429_and_says_when_to_come_again(service) -> None:
    with limited(service) as client:
        assert statuses(client, 4) == [200, 200, 200, 429]
        answer = client.get(PATH)
        assert answer.json()["error"]["code"] == "rate_limited"
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert client.get("/health").status_code == 200


def test_each_key_has_its_own_count_and_a_wrong_one_uses_up_nobody_s(service, tmp_path) -> None:
    path = tmp_path / "keys.json"
    one, other = (add_key(path, name, KeyScope.READ) for name in ("one", "other"))
    with limited(service, api_keys=path) as client:
        assert statuses(client, 4, one) == [200, 200, 200, 429]
        assert statuses(client, 4, "wrong") == [401, 401, 401, 429]
        assert statuses(client, 1, other) == [200]


def test_without_keys_an_address_has_its_own_count(service) -> None:
    app = limited(service)
    with app as one:
        assert statuses(one, 4)[-1] == 429
        other = TestClient(one.app, base_url=LOOPBACK, client=("127.0.0.2", 1))
        assert statuses(other, 1) == [200]


def test_without_a_rate_nothing_is_counted() -> None:
    async def often() -> None:
        for _ in range(2000):
            await RateLimits(0).count("a")

    asyncio.run(often())


def test_any_number_of_addresses_is_kept_in_so_many_counts() -> None:
    found = {
        name_address_counter(f"10.{a}.{b}.{c}") for a in range(4) for b in range(250) for c in range(250)
    }
    assert 0.9 * ADDRESSES < len(found) <= ADDRESSES


def test_a_client_may_ask_again_when_it_was_told_to(monkeypatch) -> None:
    now = [1_000_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])

    async def ask() -> None:
        rate_limits = RateLimits(2)
        for _ in range(2):
            await rate_limits.count("a")
        with pytest.raises(Refused) as refused:
            await rate_limits.count("a")
        now[0] += int(refused.value.headers["Retry-After"]) + 30
        await rate_limits.count("a")

    asyncio.run(ask())
