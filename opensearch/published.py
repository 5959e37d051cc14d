"""Check that a generation is still the published one, in the same request as the searches that read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opensearch.facts import StoredGeneration
from opensearch.generations import Generations
from opensearch.server import Server
from rostrum_core.errors import StoreError

CHECK: dict[str, Any] = {
    "size": 1,
    "query": {"match_all": {}},
    "_source": False,
    "stored_fields": "_none_",
    "track_total_hits": False,
}
"""A search of an alias; the index of its hit is the one to which the alias points."""


class Superseded(StoreError):
    """Report that the generation being read is no longer the published one."""


class CheckedServer:
    """Send the requests that read a generation, and check that it is still the published one.

    A generation is a version of the archive. The check is sent together with searches, so it needs no extra
    request. It is skipped if the last one was less than `age_s` seconds ago. If `age_s` is 0, only the first
    searches that this object sends include a check.
    """

    def __init__(
        self, server: Server, generations: Generations, generation: StoredGeneration, age_s: float
    ) -> None:
        self._server, self._generations, self._generation = server, generations, generation
        self._age_s, self._checked = age_s, False

    def call(
        self, method: str, path: str, body: Any = None, *, timeout_s: float | None = None, **options: Any
    ) -> Any:
        """Send one request, as `Server.call` does, and return the decoded response.

        Do not check whether the generation is still published.
        """
        return self._server.call(method, path, body, timeout_s=timeout_s, **options)

    def search_many(self, bodies: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Send several searches as one request and return their hits, as `Server.search_many` does.

        Raises:
            Superseded: another generation was published meanwhile.
        """
        if not bodies or self._is_checked():
            return self._server.search_many(bodies)
        *answers, seen = self._server.search_many([*bodies, (self._generations.alias, CHECK)])
        self._require_same([hit["_index"] for hit in seen["hits"]])
        self._checked = True
        return answers

    def _is_checked(self) -> bool:
        return (self._checked and not self._age_s) or self._generations.is_recent(self._age_s)

    def _require_same(self, indices: Sequence[str]) -> None:
        if indices:
            same = indices[0] == self._generation.documents
        else:  # an archive without documents
            published = self._generations.find_published()
            same = published is not None and published.documents == self._generation.documents
        if not same:
            raise Superseded(f"generation {self._generation.name} is not published any more")
        self._generations.confirm(self._generation)
