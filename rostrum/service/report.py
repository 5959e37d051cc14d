"""What a refresh tells while it runs, and when it is done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh is: documents looked at, paragraphs written, paragraphs encoded since its start."""

    documents: int
    paragraphs: int
    encoded: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a refresh did.

    Documents: `added`, `replaced` by another version, `renewed` (the same, written anew), `unchanged`,
    `deleted`, `repeated` (a second one of the same id, left out). `paragraphs` were written, of which
    `encoded` were encoded and `reused` had their encoding already. `refused` inputs could not be read.
    `generation` is the one published, `None` where nothing changed.
    """

    added: int
    replaced: int
    renewed: int
    unchanged: int
    deleted: int
    repeated: int
    paragraphs: int
    encoded: int
    reused: int
    refused: int
    elapsed_s: float
    generation: str | None
