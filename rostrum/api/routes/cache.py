"""Cache answers as long as archive and models stay the same; compute the answer to equal concurrent requests
only once.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError
from dataclasses import asdict
from importlib.metadata import version

from cachetools import LRUCache

from archive.service import Service
from rostrum.api.routes.drafts import DraftForm
from rostrum_core.types import Answer, Explanation, Generation


class Answers:
    """Cache the latest answers as JSON, as they were sent, up to a total of `most_bytes`.

    Threads may share the cache.
    """

    def __init__(self, most_bytes: int) -> None:
        self._kept: LRUCache[str, bytes] = LRUCache(most_bytes, getsizeof=len)
        self._guard = threading.Lock()

    def get(self, tag: str) -> bytes | None:
        """Return the cached answer to the request with this tag; `None` without one.

        The tag is a hash of everything that the answer depends on (see `compute_tag`).
        """
        with self._guard:
            return self._kept.get(tag)

    def keep(self, tag: str, body: bytes) -> None:
        """Cache an answer under its tag, and drop the least recently used answers if the cache is full.

        An answer larger than the cache is not cached.
        """
        with self._guard:
            if len(body) <= self._kept.maxsize:
                self._kept[tag] = body


Explained = tuple[Answer, Explanation | None]


class Flights:
    """Share the answer to identical requests that come at the same time, so that only one thread computes it.

    Requests are identical if they have the same tag (see `compute_tag`). The first thread with a tag computes
    the answer. Other threads with the tag wait for the answer. They use the answer unless a stage of it was
    skipped: then they compute their own, because they may have more time than the first.
    """

    def __init__(self) -> None:
        self._running: dict[str, Future[Explained]] = {}
        self._guard = threading.Lock()

    def compute(
        self, tag: str, answering: Callable[[], Explained], *, wait_s: float
    ) -> tuple[Explained, bool]:
        """Return the answer to the request with this tag, and whether another thread computed the answer.

        If another thread is computing this answer, wait up to `wait_s` seconds for it. If there is no such
        thread, or if its answer fails, is degraded (lacks a stage) or takes too long, compute the answer by
        `answering`.
        """
        with self._guard:
            theirs = self._running.get(tag)
            mine: Future[Explained] = Future()
            if theirs is None:
                self._running[tag] = mine
        if theirs is None:
            return self._lead(tag, answering, mine), False
        shared = _wait(theirs, wait_s)
        return (shared, True) if shared is not None else (answering(), False)

    def _lead(self, tag: str, answering: Callable[[], Explained], mine: Future[Explained]) -> Explained:
        try:
            explained = answering()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(explained)
            return explained
        finally:
            with self._guard:
                del self._running[tag]


def _wait(theirs: Future[Explained], wait_s: float) -> Explained | None:
    """Return the answer that another thread is computing.

    Return `None` if the answer failed, is degraded (lacks a stage) or did not come in time.
    """
    try:
        if theirs.exception(timeout=min(wait_s, threading.TIMEOUT_MAX)) is not None:
            return None
    except TimeoutError:
        return None
    explained = theirs.result()
    return None if explained[0].degraded else explained


def compute_tag(form: DraftForm, generation: Generation | None, service: Service) -> str:
    """Return the cache key of an answer: a hash of the request, the archive and the models.

    The request's timeout is not hashed. Any change of the model files changes the key, even a change of the
    weights that merge the rankings. So does another engine, another version of Rostrum, or another default
    number of candidates.
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
