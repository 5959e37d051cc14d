"""Signs of life in Redis: a key for each queue that a worker takes from, and for each beat.

A second key with the name of the machine, or container, tells of a worker that hangs while others elsewhere
do not. Imports no Celery, as health checks of containers start a process each.
"""

from __future__ import annotations

import os
import socket

from redis import Redis
from redis.exceptions import RedisError

EXPIRY_S = 20  # a solo worker renews between two tasks only, and the longest takes some seconds
BEAT = "beat"
SOCKET_S = 5.0


def make_key(name: str, host: str | None = None) -> str:
    """Return the key of a queue or of `BEAT`, on any machine or on one.

    >>> make_key("encode"), make_key("encode", "node-1")
    ('rostrum.worker.encode', 'rostrum.worker.encode@node-1')
    """
    return f"rostrum.worker.{name}" + (f"@{host}" if host else "")


def show_life(client: Redis, name: str) -> None:
    """Renew both keys for another `EXPIRY_S`."""
    for key in (make_key(name), make_key(name, socket.gethostname())):
        client.set(key, 1, ex=EXPIRY_S)


def is_alive_here(redis_url: str, name: str) -> bool:
    """Return whether a process of this machine renewed its keys, or could not as Redis is away or full."""
    timeouts = {"socket_timeout": SOCKET_S, "socket_connect_timeout": SOCKET_S}
    try:
        with Redis.from_url(redis_url, **timeouts) as client:
            if client.exists(make_key(name, socket.gethostname())):
                return True
            client.set(f"rostrum.check.{os.getpid()}", 1, ex=1)
    except RedisError:  # workers wait for it, and to end them would not help
        return True
    return False
