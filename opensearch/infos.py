"""Cache the metadata of documents that searches returned, so that it need not be requested again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opensearch.facts import Facts, StoredGeneration
from opensearch.rows import unpack_info
from rostrum_core.types import DocumentInfo

MOST_DOCUMENTS = 20_000
"""Number of cached documents, of some 500 bytes each; the oldest are dropped first."""


class Infos:
    """Cache the metadata of documents, as packed strings by document id.

    Only one generation is cached at a time. Its documents never change.
    """

    def __init__(self) -> None:
        self._content: tuple[Facts | None, dict[str, str]] = None, {}

    def keep(self, generation: StoredGeneration, packed: Iterable[tuple[str, str]]) -> None:
        """Cache metadata, given as pairs (document id, packed string), and drop that of any other
        generation.
        """
        facts, rows = self._content
        if facts != generation.facts:
            rows = {}
            self._content = generation.facts, rows
        rows.update(packed)
        for name in list(rows)[:-MOST_DOCUMENTS]:
            rows.pop(name, None)

    def find(self, generation: StoredGeneration, ids: Sequence[str]) -> dict[str, DocumentInfo]:
        """Return the metadata of those of these documents that are cached, by document id."""
        facts, rows = self._content
        if facts != generation.facts:
            return {}
        return {name: unpack_info(packed) for name in ids if (packed := rows.get(name)) is not None}
