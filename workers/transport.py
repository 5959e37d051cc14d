"""Kombu's Redis transport, for which a Redis without room is one that is away."""

from __future__ import annotations

from kombu.transport.redis import Transport
from redis.exceptions import OutOfMemoryError


class PatientTransport(Transport):
    """Makes a worker reconnect and wait when Redis refuses to write, instead of ending it."""

    connection_errors = (*Transport.connection_errors, OutOfMemoryError)
