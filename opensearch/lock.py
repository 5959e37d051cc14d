"""Implement locks that are rows in the cluster: a row names the holder, and expires by the server's clock."""

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
from opensearch.mappings import load_mapping
from opensearch.server import Server
from rostrum_core.errors import ArchiveBusy, StoreError

LIFETIME_S = 30.0
"""Lifetime of the lock of a killed writer; a living writer renews its lock three times as often."""

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
"""Row of the writer's lock."""

CHOICE = "choice"
"""Row of the lock for publishing and removing complete generations."""

CHOICE_WAIT_S = 60.0
"""Seconds to wait for another process's rollback or removal.

The lock of a killed process expires after `LIFETIME_S`.
"""

LOOK_S = 0.2
FLOODED = "TOO_MANY_REQUESTS/12"  # the block that OpenSearch sets on every index of a full disk


class Lock:
    """Acquire, renew and release a lock in the cluster, which only one object can hold at a time.

    While the lock is held, a thread renews it, until it is released or this object no longer exists.
    """

    def __init__(self, server: Server, row: str, lifetime_s: float = LIFETIME_S) -> None:
        self._server, self._row, self._lifetime_ms = server, row, int(lifetime_s * 1000)
        self._index = f"{server.connection.prefix}writer"
        self._owner = secrets.token_hex(8)
        self._released: threading.Event | None = None
        self._guard = threading.Lock()

    def acquire(self) -> None:
        """Take the lock, unless this object holds it already.

        Raises:
            ArchiveBusy: another object holds the lock.
        """
        self._make_index()
        try:
            self._take()
        except StoreError as error:
            if self._row != CHOICE or FLOODED not in str(error):
                raise
            self._allow_writes()
            self._take()
        if self._released is None:
            self._released = threading.Event()
            beat = (weakref.ref(self), self._released, self._lifetime_ms / 3000)
            threading.Thread(target=_renew, args=beat, daemon=True).start()

    @contextmanager
    def wait_and_hold(self, wait_s: float) -> Iterator[None]:
        """Wait for the lock, and hold it inside the `with` block.

        Raises:
            ArchiveBusy: another object holds the lock for longer than `wait_s` seconds.
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
        """Renew the lock for another lifetime.

        Raises:
            ArchiveBusy: the lock expired, and another object took it.
        """
        self._require_held(self._change(RENEW, lifetime_ms=self._lifetime_ms))

    def release(self) -> None:
        """Release the lock, if it is held. If the cluster cannot be reached, the lock expires by itself."""
        if self._released is not None:
            with self._guard, suppress(StoreError):  # stops the renewals
                self._released.set()
                self._released = None
                self._change(RELEASE)

    def renew(self, released: threading.Event) -> None:
        """Renew the lock, unless the event `released` is set; a background thread calls this regularly.

        Failures are ignored here: every step of a writer calls `confirm`, which raises an error if the lock
        was lost.
        """
        with self._guard, suppress(StoreError):
            if not released.is_set():
                self.confirm()

    def take_number(self, least: int) -> int:
        """Return a number for a new generation: greater than `least`, and than all numbers
        returned before.
        """
        number: int = self._change(COUNT, least=least)["get"]["_source"]["newest"]
        return number

    def _make_index(self) -> None:
        there = self._server.call("GET", f"/{self._index}*", expand_wildcards="all")
        if self._index not in there:
            with suppress(AlreadyThere):  # another writer created it meanwhile
                self._server.call("PUT", f"/{self._index}", load_mapping("writer"))

    def _take(self) -> None:
        self._require_held(self._change(TAKE, holder=_describe_holder(), lifetime_ms=self._lifetime_ms))

    def _allow_writes(self) -> None:
        """Allow writes to the lock's index even if the disk is full, because freeing space needs the lock."""
        self._server.call("PUT", f"/{self._index}/_settings", {"index.blocks.read_only_allow_delete": None})

    def _require_held(self, answer: Any) -> None:
        if answer["result"] == "noop":
            holder = answer["get"].get("_source", {}).get("holder", "its row is gone")
            raise ArchiveBusy(
                f"another writer is at work on {self._server.connection.url} ({holder}); if it was killed,"
                f" its lock runs out within {self._lifetime_ms / 1000:.0f} s"
            )

    def _change(self, script: str, **parameters: Any) -> Any:
        body = {
            "script": {"source": script, "params": {"owner": self._owner, **parameters}},
            "scripted_upsert": True,
            "upsert": {},
            "_source": True,
        }
        return self._server.call("POST", f"/{self._index}/_update/{self._row}", body, retry_on_conflict=5)


def hold_choice(server: Server) -> AbstractContextManager[None]:
    """Prevent others from rolling back or removing generations inside the `with` block.

    Others can still write to an unfinished generation meanwhile.
    """
    return Lock(server, CHOICE).wait_and_hold(CHOICE_WAIT_S)


def _renew(lock: weakref.ref[Lock], released: threading.Event, every_s: float) -> None:
    while not released.wait(every_s):
        lock_held = lock()
        if lock_held is None:
            return
        lock_held.renew(released)
        del lock_held


def _describe_holder() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"
