"""Cache answers as long as archive and models stay the same."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import asdict
from importlib.metadata import version

from cachetools import LRUCache

from archive.service import Service
from rostrum.api.routes.drafts import DraftForm
from rostrum_core.types import Generation


class Answers:
    """Cache the latest answers as they were sent, at most `most_bytes`. Threads may share the cache."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, bytes] = LRUCache(most_bytes, getsizeof=len)
        self._guard = threading.Lock()

    def get(self, tag: str) -> bytes | None:
        """Return the answer with this tag; `None` if it is not cached."""
        with self._guard:
            return self._kept.get(tag)

    def keep(self, tag: str, body: bytes) -> None:
        """Cache an answer, evicting the least recently used ones.

        An answer larger than the cache is not cached.
        """
        with self._guard:
            if len(body) <= self._kept.maxsize:
                self._kept[tag] = body


def compute_tag(form: DraftForm, generation: Generation | None, service: Service) -> str:
    """Return the cache key of an answer: a hash of the request without its timeout, the archive and the
    models.

    Any change in the model files counts, including the fusion weights, and so does another engine or version
    of Rostrum.
    """
    facts = [
        type(form).__name__,
        form.model_dump(exclude={"timeout_ms", "generation"}),
        asdict(generation) if generation else None,
        service.models.manifest.files,
        str(service.models.engine),
        version("rostrum-quotes"),
        service.settings.candidates,
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
