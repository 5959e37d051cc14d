"""Define the signals that the archive's search has already computed: BM25 and the similarity of vectors."""

from __future__ import annotations

from reranker.signals.signal import Column, Signal


def read_column(name: str) -> Column:
    """Return a function that returns the scores `name`, such as "lexical", of a context's candidates.

    The search has computed these scores already.
    """
    return lambda context: context.candidates.columns.get(name)


LEXICAL = Signal("lexical", "BM25", "z", "paragraph", read_column("lexical"))
DOCUMENT = Signal("document", "BM25 of the speech", "z", "document", read_column("document"))
DENSE = Signal("dense", "encoder", "z", "paragraph", read_column("dense"))
