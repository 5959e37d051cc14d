"""The Redis of tests is their own."""

from redis import Redis

from tools import redis_server as module
from tools.redis_server import RedisServer


def test_a_port_that_another_redis_took_meanwhile_is_left_to_it(redis_server, monkeypatch) -> None:
    ports, free = [redis_server.port], module._find_free_port
    monkeypatch.setattr(module, "_find_free_port", lambda: ports.pop() if ports else free())
    own = RedisServer()
    try:
        assert own.port != redis_server.port
        with Redis.from_url(own.url) as client:
            assert client.info("server")["process_id"] == own.process.pid
    finally:
        own.close()
    with Redis.from_url(redis_server.url) as client:
        assert client.ping()
