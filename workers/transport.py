"""Treat a full Redis as one that is away, in Kombu's Redis transport."""

from __future__ import annotations

from kombu.transport.redis import Transport
from redis.exceptions import OutOfMemoryError


class PatientTransport(Transport):
    """Make a worker reconnect and wait when Redis refuses writes, instead of ending it."""

    connection_errors = (*Transport.connection_errors, OutOfMemoryError)
