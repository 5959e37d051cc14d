"""Hold the metadata of a generation, and its location in the cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rostrum_core.errors import StoreError
from rostrum_core.types import Generation

FORMAT = 3
"""Format of rows and `_meta` of fresh generations; a copy keeps the format of its base."""

READABLE = (2, FORMAT)
"""Formats that can be read; others are rejected. Documents of format 2 have no column `info`."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Hold the metadata of a generation (a version of the archive).

    `encoder` and `tokenizer` are the hashes of the models. `base` is the name of the generation from which
    this one was copied; `None` if it started empty. `width` is the width of the vectors, `None` while there
    are no vectors. `documents` and `paragraphs` are counted when the generation is complete.
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

    @property
    def has_info(self) -> bool:
        """Return whether rows of documents have the column `info`, which has all metadata in one string."""
        return self.format > 2

    def has_same_models(self, other: Facts) -> bool:
        """Return whether the same models encoded this generation and the generation of `other`."""
        return (self.encoder, self.tokenizer) == (other.encoder, other.tokenizer)


@dataclass(frozen=True, slots=True)
class StoredGeneration:
    """Describe a generation in the cluster: its metadata, its two indices, and its state.

    `missing` names its indices that do not exist, because somebody deleted them. `previous` is the generation
    that this one replaced when it was published. It is `None` if that is not known, or if this one is a copy.
    """

    facts: Facts
    paragraphs: str
    documents: str
    complete: bool
    published: bool
    missing: tuple[str, ...] = ()
    previous: str | None = None

    @property
    def origin(self) -> str | None:
        """Return the generation that readers saw before this one; `None` if it is not known."""
        return self.previous if self.facts.base is None else self.facts.base

    @property
    def name(self) -> str:
        """Return the generation's name."""
        return self.facts.generation

    @property
    def indices(self) -> tuple[str, str]:
        """Return the names of both indices: of paragraphs and of documents."""
        return self.paragraphs, self.documents

    def require_whole(self) -> None:
        """Raise StoreError if an index of the generation is missing."""
        if self.missing:
            gone = f"the index {' and '.join(self.missing)} of generation {self.name} is missing"
            raise StoreError(f"{gone}: rostrum index --fresh rebuilds the archive, or restore a snapshot")

    def build_generation(self, documents: int, paragraphs: int) -> Generation:
        """Describe this generation as a `Generation`, with the given numbers of documents and paragraphs.

        Every kind of store describes its generations in this form.
        """
        facts = self.facts
        state: Literal["ready", "building", "damaged"] = "ready" if self.complete else "building"
        if self.missing:
            state = "damaged"
        hashes = (facts.encoder, facts.tokenizer)
        return Generation(
            facts.generation, state, self.published, *hashes, documents, paragraphs, facts.created_at
        )
