"""One at a time: rows that name their holders and run out by the server's clock."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from opensearch.failures import AlreadyThere
from opensearch.mappings import mapping
from opensearch.server import Server
from rostrum_core.errors import ArchiveBusy, StoreError

LIFETIME_S = 30.0
"""A killed writer keeps others out for so long; a living one renews its lock three times as often."""

TAKE = """
if (ctx._source.owner == null || ctx._source.owner == params.owner || ctx._source.ends_ms < ctx._now) {
  ctx._source.owner = params.owner;
  ctx._source.holder = params.holder;
  ctx._source.ends_ms = ctx._now + params.lifetime_ms;
} else { ctx.op = 'none'; }
"""
RENEW = """
if (ctx._source.owner == params.owner) {
  ctx._source.ends_ms = ctx._now + params.lifetime_ms;
} else { ctx.op = 'none'; }
"""
RELEASE = """
if (ctx._source.owner == params.owner) { ctx._source.owner = null; } else { ctx.op = 'none'; }
"""
COUNT = """
long newest = ctx._source.newest == null ? 0 : ((Number) ctx._source.newest).longValue();
long least = ((Number) params.least).longValue();
ctx._source.newest = (newest > least ? newest : least) + 1;
"""


WRITER = "lock"
"""The row of the one writer. Its name is older than the other's."""

CHOICE = "choice"
"""The row of whoever chooses among complete generations: which is published, which are removed."""

CHOICE_WAIT_S = 60.0
"""For another's choice, which takes a moment; that of one who was killed, `LIFETIME_S`."""

LOOK_S = 0.2
FLOODED = "TOO_MANY_REQUESTS/12"  # the block that OpenSearch sets on every index of a full disk


class Lock:
    """Held by one object at a time; a thread renews it until it is released or its object is gone."""

    def __init__(self, server: Server, row: str, lifetime_s: float = LIFETIME_S) -> None:
        self._server, self._row, self._lifetime_ms = server, row, int(lifetime_s * 1000)
        self._index = f"{server.connection.prefix}writer"
        self._owner = secrets.token_hex(8)
        self._released: threading.Event | None = None
        self._guard = threading.Lock()

    def acquire(self) -> None:
        """Takes the lock, unless this object holds it already.

        Raises:
            ArchiveBusy: another holds it.
        """
        self._make_index()
        try:
            self._take()
        except StoreError as error:
            if self._row != CHOICE or FLOODED not in str(error):
                raise
            self._unblock()
            self._take()
        if self._released is None:
            self._released = threading.Event()
            beat = (weakref.ref(self), self._released, self._lifetime_ms / 3000)
            threading.Thread(target=_renew, args=beat, daemon=True).start()

    @contextmanager
    def waited_for(self, wait_s: float) -> Iterator[None]:
        """Holds the lock within, once whoever has it gives it back.

        Raises:
            ArchiveBusy: that takes longer than `wait_s`.
        """
        deadline = time.monotonic() + wait_s
        while True:
            try:
                self.acquire()
                break
            except ArchiveBusy:
                if time.monotonic() > deadline:
                    raise
                time.sleep(LOOK_S)
        try:
            yield
        finally:
            self.release()

    def confirm(self) -> None:
        """Renews the lock for another lifetime.

        Raises:
            ArchiveBusy: it ran out, and another took it.
        """
        self._held(self._changed(RENEW, lifetime_ms=self._lifetime_ms))

    def release(self) -> None:
        """Gives the lock back, if it is held; where the cluster is away, it runs out by itself."""
        if self._released is not None:
            with self._guard, suppress(StoreError):  # no renewal is to follow
                self._released.set()
                self._released = None
                self._changed(RELEASE)

    def renew(self, released: threading.Event) -> None:
        """Renews the lock if it is still held; `released` says so.

        A failure is left to the writer's next step: it says so then, or finds the lock renewed.
        """
        with self._guard, suppress(StoreError):
            if not released.is_set():
                self.confirm()

    def next_number(self, least: int) -> int:
        """A number greater than `least` and than all that were given before."""
        number: int = self._changed(COUNT, least=least)["get"]["_source"]["newest"]
        return number

    def _make_index(self) -> None:
        there = self._server.call("GET", f"/{self._index}*", expand_wildcards="all")
        if self._index not in there:
            with suppress(AlreadyThere):  # another made it meanwhile
                self._server.call("PUT", f"/{self._index}", mapping("writer"))

    def _take(self) -> None:
        self._held(self._changed(TAKE, holder=_holder(), lifetime_ms=self._lifetime_ms))

    def _unblock(self) -> None:
        """Lets rows of the lock be written on a full disk: what makes room is chosen under it."""
        self._server.call("PUT", f"/{self._index}/_settings", {"index.blocks.read_only_allow_delete": None})

    def _held(self, answer: Any) -> None:
        if answer["result"] == "noop":
            holder = answer["get"].get("_source", {}).get("holder", "its row is gone")
            raise ArchiveBusy(
                f"another writer is at work on {self._server.connection.url} ({holder}); if it was killed,"
                f" its lock runs out within {self._lifetime_ms / 1000:.0f} s"
            )

    def _changed(self, script: str, **parameters: Any) -> Any:
        body = {
            "script": {"source": script, "params": {"owner": self._owner, **parameters}},
            "scripted_upsert": True,
            "upsert": {},
            "_source": True,
        }
        return self._server.call("POST", f"/{self._index}/_update/{self._row}", body, retry_on_conflict=5)


def choosing(server: Server) -> AbstractContextManager[None]:
    """Nobody else goes back to a generation, or removes some, within; writers need not wait for it."""
    return Lock(server, CHOICE).waited_for(CHOICE_WAIT_S)


def _renew(lock: weakref.ref[Lock], released: threading.Event, every_s: float) -> None:
    while not released.wait(every_s):
        held = lock()
        if held is None:
            return
        held.renew(released)
        del held


def _holder() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"
