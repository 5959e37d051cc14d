"""Define the types that describe the queues of model work and refresh jobs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueueState:
    """Describe a queue: the number of waiting messages, and the machines whose workers take from it."""

    name: str
    waiting: int
    machines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """Describe all queues.

    `in_progress` is the number of messages that workers have taken and not finished; `has_beat` is true if
    the scheduler of refresh jobs is running.
    """

    queues: tuple[QueueState, ...]
    in_progress: int
    has_beat: bool
