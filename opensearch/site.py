"""Describe the cluster of an archive to an operator: its address, size, free disk space and health."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opensearch.store import OpenSearchStore
from rostrum_core.errors import StoreError


class ClusterSite:
    """Return address, size and health checks of an archive's indices, even if there are none yet.

    The indices are those whose names begin with the store's prefix.
    """

    def __init__(self, store: OpenSearchStore) -> None:
        self._store, self._server = store, store.server
        self._prefix = store.server.connection.prefix

    @property
    def place(self) -> str:
        """Return the address of the cluster and the prefix of the archive's indices."""
        return f"{self._server.connection.url} under {self._prefix}"

    def size_bytes(self) -> int:
        """Return the size of all indices under the prefix in bytes, replicas included."""
        stats = self._server.call("GET", f"/{self._prefix}*/_stats/store", expand_wildcards="all")
        return int(stats["_all"].get("total", {}).get("store", {}).get("size_in_bytes", 0))

    def free_bytes(self) -> int | None:
        """Return how many bytes are free on all data nodes; `None` if this user may not read that."""
        try:
            stats = self._server.call("GET", "/_nodes/data:true/stats/fs", filter_path="nodes.*.fs.total")
        except StoreError:
            return None
        totals = [node["fs"]["total"]["available_in_bytes"] for node in stats.get("nodes", {}).values()]
        return sum(totals) if totals else None

    def checks(self) -> Mapping[str, Callable[[], str]]:
        """Return health checks by name: of the cluster, its indices, the vector engine, and the published
        generation.

        Each check is a function that returns a line of text, or raises `StoreError`.
        """
        return {
            "opensearch": self._describe_version,
            "vectors": self._describe_engine,
            "indices": self._describe_health,
            "archive": self._describe_archive,
        }

    def _describe_version(self) -> str:
        version, plugins = self._server.describe()
        self._server.check(version, plugins)
        return f"{version} with {', '.join(plugins)} at {self._server.connection.url}"

    def _describe_engine(self) -> str:
        engine = self._store.layout.engine
        if engine == "faiss":
            self._server.require_faiss()
        return f"{engine} locates the nearest in new archives"

    def _describe_health(self) -> str:
        health = self._server.call("GET", f"/_cluster/health/{self._prefix}*", expand_wildcards="all")
        shards = f"{health['active_shards']} shards on {health['number_of_data_nodes']} nodes"
        if health["status"] == "red":
            raise StoreError(f"red, {health['unassigned_shards']} shards are missing: {shards}")
        return f"{health['status']}, {shards}"

    def _describe_archive(self) -> str:
        self._store.check_generations()
        if self._store.published() is None:
            return f"none published yet at {self.place}"
        documents, paragraphs = self._store.count()
        return f"{documents:,} documents, {paragraphs:,} paragraphs at {self.place}"
