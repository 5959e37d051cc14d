"""What Redis fails at, told as `RedisAway`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from rostrum_core.errors import RedisAway


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Errors of Redis, and of what is found there, become `RedisAway`; `what` was to be done."""
    try:
        yield
    except (KombuError, RedisError, OSError) as error:
        raise RedisAway(f"{what}: Redis cannot be used: {error}") from error
