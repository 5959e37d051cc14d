"""Cache the metadata of documents that searches return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opensearch.facts import Facts, StoredGeneration
from opensearch.rows import unpack_info
from rostrum_core.types import DocumentInfo

MOST_DOCUMENTS = 20_000
"""Number of cached documents, of some 500 bytes each; the oldest are dropped first."""


class Infos:
    """Cache packed metadata by document id, for one generation at a time, whose documents never change."""

    def __init__(self) -> None:
        self._content: tuple[Facts | None, dict[str, str]] = None, {}

    def keep(self, generation: StoredGeneration, packed: Iterable[tuple[str, str]]) -> None:
        """Cache packed metadata by document id, and drop the metadata of any other generation."""
        facts, rows = self._content
        if facts != generation.facts:
            rows = {}
            self._content = generation.facts, rows
        rows.update(packed)
        for name in list(rows)[:-MOST_DOCUMENTS]:
            rows.pop(name, None)

    def find(self, generation: StoredGeneration, ids: Sequence[str]) -> dict[str, DocumentInfo]:
        """Return the cached metadata among these documents."""
        facts, rows = self._content
        if facts != generation.facts:
            return {}
        return {name: unpack_info(packed) for name in ids if (packed := rows.get(name)) is not None}
