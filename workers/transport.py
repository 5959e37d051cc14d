"""Extend Kombu's Redis transport, so that a full Redis is treated like an unavailable one."""

from __future__ import annotations

from kombu.transport.redis import Transport
from redis.exceptions import OutOfMemoryError


class PatientTransport(Transport):
    """Make a worker reconnect and wait when Redis refuses writes; otherwise the worker would end."""

    connection_errors = (*Transport.connection_errors, OutOfMemoryError)
