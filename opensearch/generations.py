"""Keep the generations of an archive as indices and aliases.

A generation is a version of the archive. Readers see only the published one.

- rostrum-paragraphs-000002, rostrum-documents-000002: the indices of a generation
- rostrum-paragraphs, rostrum-documents: the aliases of the published generation
- rostrum-complete: the alias of all complete generations
- rostrum-writer: the writer's lock

The metadata of a generation is in `_meta` of its documents' mapping. If the generation was not copied from
another, `_meta` of its paragraphs' mapping names the generation that it replaced; earlier versions do not
read this. Aliases determine which generations are complete and which one is published. One request changes
all of them, so that the published generation is complete even if a process is killed. A complete generation
is never written to.

Deleted rows count in the statistics of BM25 until segments are merged, and OpenSearch keeps them for hours as
history for replicas. A clone has no history. So if rows were deleted, the generation is completed as a merged
clone (`...-000002-merged`) before other nodes copy it; then every node has the same rows. If none were
deleted, the generation is merged in place.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from opensearch.facts import FORMAT, READABLE, Facts, StoredGeneration
from opensearch.failures import AlreadyThere
from opensearch.server import Server
from rostrum_core.errors import StoreError

MERGED = "-merged"
COPIES = "index.auto_expand_replicas"
COPIES_S = 20  # a publication waits this long for copies; slower ones come later
CLONE_S = 60  # a clone, whose files are linked, may take this long to start
LONG_TIMEOUT_S = 3600.0
"""Timeout for copying and merging, which take longer for larger archives."""


class Generations:
    """Find, create, publish and remove the generations of an archive in OpenSearch.

    The names of the archive's indices begin with the prefix of the connection.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._prefix = server.connection.prefix
        self._seen: tuple[float, StoredGeneration | None] | None = None
        self._index = re.compile(rf"{re.escape(self._prefix)}(?:paragraphs|documents)-((\d+)({MERGED})?)")

    @property
    def alias(self) -> str:
        """Return the name of the alias of the published generation's index of documents."""
        return f"{self._prefix}documents"

    def list_all(self) -> list[StoredGeneration]:
        """Return all generations, oldest first, an unfinished one last.

        Raises:
            StoreError: a generation was written by another version of this package.
        """
        indices = self._read_indices()
        generations = [self._find_generation(index, body, indices) for index, body in indices.items()]
        return sorted(
            (generation for generation in generations if generation),
            key=lambda generation: (not generation.complete, generation.name),
        )

    def list_orphans(self) -> list[str]:
        """Return the paragraph indices of complete generations whose document index no longer exists."""
        complete, indices = f"{self._prefix}complete", self._read_indices()
        paragraphs = f"{self._prefix}paragraphs-"
        return sorted(
            index
            for index, body in indices.items()
            if complete in body.get("aliases", {})
            and index.startswith(paragraphs)
            and f"{self._prefix}documents-{index.removeprefix(paragraphs)}" not in indices
        )

    def find_published(self) -> StoredGeneration | None:
        """Return the published generation; `None` if none was published yet."""
        return next((generation for generation in self.list_all() if generation.published), None)

    def read_published(self, age_s: float) -> StoredGeneration | None:
        """Return the published generation, from the cache if it was read at most `age_s` seconds ago.

        The cache is also cleared when this object changes the published generation.
        """
        seen, now = self._seen, time.monotonic()
        if seen is None or now >= seen[0] + age_s:
            seen = self._seen = now, self.find_published()
        return seen[1]

    def recall_published(self) -> StoredGeneration | None:
        """Return the published generation from the cache, of whatever age; `None` if the cache is empty."""
        return None if self._seen is None else self._seen[1]

    def is_recent(self, age_s: float) -> bool:
        """Return whether the published generation was read or confirmed in the last `age_s` seconds."""
        return self._seen is not None and time.monotonic() < self._seen[0] + age_s

    def confirm(self, generation: StoredGeneration) -> None:
        """Put this generation into the cache as the published one, as if it had been read just now."""
        self._seen = time.monotonic(), generation

    def forget(self) -> None:
        """Clear the cache, so that the published generation is next read from the cluster."""
        self._seen = None

    def create(self, facts: Facts) -> StoredGeneration:
        """Create an empty generation to write to, from the templates.

        If an index already exists, it is used: this request created it and was sent again because the
        response was lost. Another generation cannot have it, because numbers are never reused.
        """
        empty = self._name_generation(facts, facts.generation)
        with suppress(AlreadyThere):
            self._server.call("PUT", f"/{empty.paragraphs}")
        with suppress(AlreadyThere):
            self._server.call("PUT", f"/{empty.documents}", {"mappings": {"_meta": asdict(facts)}})
        return empty

    def copy(self, base: StoredGeneration, facts: Facts) -> StoredGeneration:
        """Create a generation with the content of `base`, another generation.

        OpenSearch clones the indices of `base`: it links their files instead of copying them.
        """
        alike = replace(facts, width=base.facts.width, format=base.facts.format)
        copied = self._name_generation(alike, facts.generation)
        self._clone(base, copied, writable=True)
        self.note(copied)
        return copied

    def note(self, generation: StoredGeneration) -> None:
        """Save the metadata of a generation in the cluster."""
        self._server.call("PUT", f"/{generation.documents}/_mapping", {"_meta": asdict(generation.facts)})

    def note_previous(self, generation: StoredGeneration, previous: str) -> None:
        """Save in the cluster that the generation `previous` was published before this one."""
        meta = {"published": generation.name, "previous": previous}
        self._server.call("PUT", f"/{generation.paragraphs}/_mapping", {"_meta": meta})

    def block(self, generation: StoredGeneration, blocked: bool) -> None:
        """Block writes to the indices of a generation if `blocked` is true; allow them otherwise."""
        path = f"/{','.join(generation.indices)}/_settings"
        self._server.call("PUT", path, {"index.blocks.write": blocked})

    def merge(self, generation: StoredGeneration) -> StoredGeneration:
        """Merge each shard of a generation to one segment, and return the merged generation.

        If rows were deleted, the merged generation is a clone; otherwise the generation is merged in place.
        Fewer segments speed up vector search, which searches the graph of each segment.
        """
        stats = self._server.call("GET", f"/{','.join(generation.indices)}/_stats/docs")
        if not stats["_all"]["primaries"]["docs"]["deleted"]:
            self._merge(generation)
            return generation
        clone = self._name_generation(generation.facts, generation.name + MERGED)
        self.remove([clone])  # left by an interrupted publication
        self._clone(generation, clone, writable=False)
        path = f"/{','.join(clone.indices)}"
        self._server.call("POST", f"{path}/_flush", force="true", timeout_s=LONG_TIMEOUT_S)
        self._merge(clone)
        self._spread(clone)
        return clone

    def _merge(self, generation: StoredGeneration) -> None:
        path = f"/{','.join(generation.indices)}"
        self._server.call("POST", f"{path}/_forcemerge", timeout_s=LONG_TIMEOUT_S, max_num_segments="1")
        self._server.call("POST", f"{path}/_refresh", timeout_s=LONG_TIMEOUT_S)

    def _spread(self, merged: StoredGeneration) -> None:
        """Copy a merged generation to another node, if there is one, and wait up to `COPIES_S` seconds for
        the copies.

        Replicas made before the merge would keep the deleted rows, because nothing would merge them later.
        """
        indices = ",".join(merged.indices)
        self._server.call("PUT", f"/{indices}/_settings", {COPIES: "0-1"})
        waiting = {"wait_for_status": "green", "timeout": f"{COPIES_S}s"}
        with suppress(StoreError):  # they come later, or when the other node is back
            self._server.call("GET", f"/_cluster/health/{indices}", timeout_s=3 * COPIES_S, **waiting)

    def show(self, generation: StoredGeneration, gone: Sequence[StoredGeneration] = ()) -> None:
        """Publish a complete generation instead of the published one, and remove the generations `gone`.

        A single request makes all changes. If two processes publish at the same time, the later request wins.
        """
        aliases = (f"{self._prefix}paragraphs", f"{self._prefix}documents")
        removed = [index for generation in gone for index in generation.indices]
        others = [f"-{index}" for index in removed]  # removes their aliases too
        new = [*zip(generation.indices, aliases, strict=True)]
        new += [(index, f"{self._prefix}complete") for index in generation.indices]
        actions: list[dict[str, Any]] = [
            {"remove": {"indices": [f"{alias}-*", *others], "alias": alias, "must_exist": False}}
            for alias in aliases
        ]
        actions += [{"add": {"index": index, "alias": alias}} for index, alias in new]
        actions += [{"remove_index": {"index": index}} for index in removed]
        try:
            self._server.call("POST", "/_aliases", {"actions": actions})
        finally:
            self.forget()

    def complete(self, generation: StoredGeneration, gone: Sequence[StoredGeneration] = ()) -> None:
        """Mark a generation as complete without publishing it, and remove the generations `gone`."""
        alias = f"{self._prefix}complete"
        actions: list[dict[str, Any]] = [
            {"add": {"index": index, "alias": alias}} for index in generation.indices
        ]
        actions += [{"remove_index": {"index": index}} for generation in gone for index in generation.indices]
        try:
            self._server.call("POST", "/_aliases", {"actions": actions})
        finally:
            self.forget()

    def remove(self, generation: Sequence[StoredGeneration]) -> None:
        """Remove generations in one request; ignore indices that do not exist."""
        self._delete([index for generation in generation for index in generation.indices])

    def remove_unfinished(self) -> None:
        """Remove every index that belongs to no complete generation."""
        aliases = self._server.call("GET", f"/{self._prefix}paragraphs-*,{self._prefix}documents-*/_alias")
        whole = f"{self._prefix}complete"
        indices = {index for index, entry in aliases.items() if whole not in entry["aliases"]}
        self._delete([index for index in indices if self._index.fullmatch(index)])

    def _delete(self, indices: Sequence[str]) -> None:
        if indices:
            self._server.call("DELETE", f"/{','.join(indices)}", ignore_unavailable="true")

    def _read_indices(self) -> dict[str, Any]:
        """Return the aliases and `_meta` of all indices of paragraphs and documents, by index name."""
        path = f"/{self._prefix}documents-*,{self._prefix}paragraphs-*"
        return self._server.call("GET", path, filter_path="*.mappings._meta,*.aliases") or {}

    def _find_generation(
        self, index: str, body: dict[str, Any], indices: Mapping[str, Any]
    ) -> StoredGeneration | None:
        """Return the generation to which an index of documents belongs.

        Return `None` for other indices, and if the creation or the removal of the generation was interrupted.
        """
        matched = self._index.fullmatch(index)
        meta = body.get("mappings", {}).get("_meta", {})
        if matched is None or meta.get("generation") != matched[2]:
            return None
        if meta["format"] not in READABLE:
            raise StoreError(f"generation {matched[2]} has format {meta['format']}, this is for {FORMAT}")
        aliases = body.get("aliases", {})
        complete, published = (f"{self._prefix}{alias}" in aliases for alias in ("complete", "documents"))
        if matched[3] and not complete:
            return None
        named = self._name_generation(Facts(**meta), matched[1])
        missing = tuple(name for name in named.indices if name not in indices)
        return replace(
            named,
            complete=complete,
            published=published,
            missing=missing,
            previous=_read_previous(named, indices),
        )

    def _name_generation(self, facts: Facts, suffix: str) -> StoredGeneration:
        paragraphs, documents = (f"{self._prefix}{kind}-{suffix}" for kind in ("paragraphs", "documents"))
        return StoredGeneration(facts, paragraphs, documents, complete=False, published=False)

    def _clone(self, source: StoredGeneration, target: StoredGeneration, *, writable: bool) -> None:
        settings: dict[str, Any] = {"index.blocks.write": not writable, COPIES: "0-1"}
        if not writable:  # it is merged first
            settings |= {COPIES: "false", "index.number_of_replicas": 0}
        for index, copy in zip(source.indices, target.indices, strict=True):
            path, patience = f"/{index}/_clone/{copy}", {"timeout": f"{CLONE_S}s"}
            try:
                answer = self._server.call(
                    "POST", path, {"settings": settings}, timeout_s=LONG_TIMEOUT_S, **patience
                )
                started = answer["shards_acknowledged"]
            except AlreadyThere:  # retried after its response was lost: names are never reused
                waiting = {"wait_for_status": "yellow", **patience}
                try:
                    self._server.call("GET", f"/_cluster/health/{copy}", timeout_s=2 * CLONE_S, **waiting)
                    started = True
                except StoreError:  # status 408 if it is not so in time
                    started = False
            if not started:
                question = "is there room for it below the watermark of the disks?"
                raise StoreError(f"the copy {copy} of {index} did not start in time: {question}")


class OneGeneration(Generations):
    """Present one complete generation to readers as if it were published, whether or not it is."""

    def __init__(self, server: Server, viewed: StoredGeneration) -> None:
        super().__init__(server)
        self._viewed = viewed

    def read_published(self, age_s: float) -> StoredGeneration | None:
        """Return the generation that this object presents, even if another one is published."""
        return self._viewed

    def recall_published(self) -> StoredGeneration | None:
        """Return the generation that this object presents, even if another one is published."""
        return self._viewed

    def is_recent(self, age_s: float) -> bool:
        """Return true: a complete generation never changes, so what was read of it stays valid."""
        return True


def _read_previous(generation: StoredGeneration, indices: Mapping[str, Any]) -> str | None:
    """Return the name of the generation that this one replaced; `None` if none is recorded.

    A copied generation may still have the record of its base. That record is ignored.
    """
    meta = indices.get(generation.paragraphs, {}).get("mappings", {}).get("_meta", {})
    return meta.get("previous") if meta.get("published") == generation.name else None
