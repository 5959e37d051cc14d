"""What is known of a generation, and where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rostrum_core.errors import StoreError
from rostrum_core.types import Generation

FORMAT = 2
"""Of all rows and of `_meta`; another number is not read."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a generation; `base` is the one it began as a copy of.

    `width` is that of the vectors, `None` while there is none. `documents` and `paragraphs` are counted when
    it is complete.
    """

    generation: str
    encoder: str
    tokenizer: str
    base: str | None
    created_at: str
    width: int | None = None
    documents: int = 0
    paragraphs: int = 0
    format: int = FORMAT

    def alike(self, other: Facts) -> bool:
        """Whether the same models encoded both."""
        return (self.encoder, self.tokenizer) == (other.encoder, other.tokenizer)


@dataclass(frozen=True, slots=True)
class Found:
    """A generation in the cluster: its facts, its two indices, and how far it is.

    `missing` are those of its indices that are not there: somebody deleted them.
    """

    facts: Facts
    paragraphs: str
    documents: str
    complete: bool
    published: bool
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The generation's name."""
        return self.facts.generation

    @property
    def indices(self) -> tuple[str, str]:
        """Names of both indices."""
        return self.paragraphs, self.documents

    def require_whole(self) -> None:
        """Raise StoreError if an index of the generation is missing."""
        if self.missing:
            gone = f"the index {' and '.join(self.missing)} of generation {self.name} is missing"
            raise StoreError(f"{gone}: rostrum index --fresh builds the archive anew, or restore a snapshot")

    def told(self, documents: int, paragraphs: int) -> Generation:
        """The generation as the port tells it."""
        facts = self.facts
        state: Literal["ready", "building", "damaged"] = "ready" if self.complete else "building"
        if self.missing:
            state = "damaged"
        hashes = (facts.encoder, facts.tokenizer)
        return Generation(
            facts.generation, state, self.published, *hashes, documents, paragraphs, facts.created_at
        )
