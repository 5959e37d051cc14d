"""Answers that are given again while archive and models are the same."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import asdict
from importlib.metadata import version

from cachetools import LRUCache

from rostrum.api.routes.drafts import DraftForm
from rostrum.archive.service import Service
from rostrum_core.types import Generation


class Answers:
    """The answers asked for last, as they were sent: `most_bytes` at most. Threads may share it."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, bytes] = LRUCache(most_bytes, getsizeof=len)
        self._guard = threading.Lock()

    def get(self, tag: str) -> bytes | None:
        """The answer of this tag; `None` where it is not kept."""
        with self._guard:
            return self._kept.get(tag)

    def keep(self, tag: str, body: bytes) -> None:
        """Keeps an answer in place of those that were not asked for longest, unless it alone is too large."""
        with self._guard:
            if len(body) <= self._kept.maxsize:
                self._kept[tag] = body


def tag_of(asked: DraftForm, generation: Generation | None, service: Service) -> str:
    """What tells two answers apart: what is asked, but for the time it has, of which archive and models.

    A file of the models is enough, fusion weights included, and so is another version of Rostrum.
    """
    facts = [
        type(asked).__name__,
        asked.model_dump(exclude={"timeout_ms", "generation"}),
        asdict(generation) if generation else None,
        service.models.manifest.files,
        version("rostrum-quotes"),
        service.settings.candidates,
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
