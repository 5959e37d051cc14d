"""What a refresh tells while it runs, and when it is done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh is: documents looked at, paragraphs written, paragraphs encoded since its start."""

    documents: int
    paragraphs: int
    encoded: int
