"""Describe the queues of model work and of refresh jobs, and who takes from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueueState:
    """Describe a queue: the messages that wait in it, and the machines whose workers take from it."""

    name: str
    waiting: int
    machines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """Describe all queues. Workers have taken `in_progress` messages; `has_beat` if a beat is at work."""

    queues: tuple[QueueState, ...]
    in_progress: int
    has_beat: bool
