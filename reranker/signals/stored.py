"""Define the signals that a store computes during its search: BM25 and vectors."""

from __future__ import annotations

from reranker.signals.signal import Column, Signal


def read_column(name: str) -> Column:
    """Return a function that reads the column `name`, which the store has filled."""
    return lambda context: context.candidates.columns.get(name)


LEXICAL = Signal("lexical", "BM25", "z", "paragraph", read_column("lexical"))
DOCUMENT = Signal("document", "BM25 of the speech", "z", "document", read_column("document"))
DENSE = Signal("dense", "encoder", "z", "paragraph", read_column("dense"))
