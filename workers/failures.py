"""Translate Redis failures to `RedisAway`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kombu.exceptions import KombuError
from redis.exceptions import OutOfMemoryError, RedisError

from rostrum_core.errors import RedisAway, RedisFull


@contextmanager
def translate_errors(what: str) -> Iterator[None]:
    """Translate errors of Redis, its connection and its messages to `RedisAway`.

    If Redis is full, the error is `RedisFull`, a kind of `RedisAway`. `what` names the action in the error's
    message.
    """
    try:
        yield
    except (KombuError, RedisError, OSError) as error:
        if isinstance(error, OutOfMemoryError) or isinstance(error.__cause__, OutOfMemoryError):
            raise RedisFull(f"{what}: Redis is full: {error}") from error
        raise RedisAway(f"{what}: Redis cannot be used: {error}") from error
