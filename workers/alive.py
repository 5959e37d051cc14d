"""Renew heartbeat keys in Redis: for every queue that a worker takes from, and for the scheduler.

Each queue, and the scheduler, has two keys. One is shared by all machines. The other includes the name of the
machine, or container, so that a hanging worker is noticed even if workers on other machines are alive. This
module does not import Celery, because every health check starts a process that imports this module.
"""

from __future__ import annotations

import os
import socket

from redis import Redis
from redis.exceptions import RedisError

EXPIRY_S = 20  # a solo worker renews only between two tasks, and the longest takes some seconds
BEAT = "beat"
SOCKET_S = 5.0


def make_key(name: str, host: str | None = None) -> str:
    """Return the Redis key of the heartbeat of a queue, or of the scheduler (`BEAT`).

    With `host`, the key is that of one machine; without it, the key is shared by all machines.

    >>> make_key("encode"), make_key("encode", "node-1")
    ('rostrum.worker.encode', 'rostrum.worker.encode@node-1')
    """
    return f"rostrum.worker.{name}" + (f"@{host}" if host else "")


def show_life(client: Redis, name: str) -> None:
    """Renew both heartbeat keys of `name`, a queue or `BEAT` (the scheduler), for another `EXPIRY_S` seconds.

    One key is shared by all machines, the other one is this machine's.
    """
    for key in (make_key(name), make_key(name, socket.gethostname())):
        client.set(key, 1, ex=EXPIRY_S)


def is_alive_here(redis_url: str, name: str) -> bool:
    """Return whether a process on this machine has sent a heartbeat within `EXPIRY_S` seconds.

    `name` is the queue of a worker, or `BEAT` for the scheduler. If Redis is unavailable or full, the result
    is true, too, because a restart of the process would not help.
    """
    timeouts = {"socket_timeout": SOCKET_S, "socket_connect_timeout": SOCKET_S}
    try:
        with Redis.from_url(redis_url, **timeouts) as client:
            if client.exists(make_key(name, socket.gethostname())):
                return True
            client.set(f"rostrum.check.{os.getpid()}", 1, ex=1)
    except RedisError:  # workers wait for it, and ending them would not help
        return True
    return False
