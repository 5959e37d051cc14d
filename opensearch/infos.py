"""Cache the metadata of documents that searches returned, so that it need not be requested again."""

from __future__ import annotations

from collections.abc import Iterable

from opensearch.facts import Facts, StoredGeneration
from opensearch.rows import unpack_info
from rostrum_core.types import DocumentInfo

MOST_DOCUMENTS = 20_000
"""Number of cached documents, of some 500 bytes each; the oldest are dropped first."""


class Infos:
    """Cache the metadata of documents by document id.

    Only one generation is cached at a time. Its documents never change.
    """

    def __init__(self) -> None:
        self._content: tuple[Facts | None, dict[str, DocumentInfo]] = None, {}

    def keep(
        self, generation: StoredGeneration, packed: Iterable[tuple[str, str]]
    ) -> dict[str, DocumentInfo]:
        """Cache metadata, given as pairs (document id, packed string), and return it by document id.

        The cache has only metadata of this generation, of at most `MOST_DOCUMENTS` documents: those that were
        used last.
        """
        facts, infos = self._content
        if facts != generation.facts:
            infos = {}
            self._content = generation.facts, infos
        of_these = {name: infos.get(name) or unpack_info(text) for name, text in packed}
        for name, info in of_these.items():  # one at a time, because other threads read the cache meanwhile
            infos.pop(name, None)
            infos[name] = info
        for name in list(infos)[:-MOST_DOCUMENTS]:
            infos.pop(name, None)
        return of_these

    def find(self, generation: StoredGeneration, ids: Iterable[str]) -> dict[str, DocumentInfo]:
        """Return the cached metadata of these documents by document id; leave out uncached documents."""
        facts, infos = self._content
        if facts != generation.facts:
            return {}
        return {name: info for name in ids if (info := infos.get(name)) is not None}
