"""Define the signals that the archive's search has already computed: BM25 and the similarity of vectors."""

from __future__ import annotations

from reranker.signals.signal import Column, Signal


def read_column(name: str) -> Column:
    """Make the function that returns the scores `name` of the candidates, such as "lexical".

    The search has already computed these scores and stored them with the candidates.
    """
    return lambda context: context.candidates.columns.get(name)


LEXICAL = Signal("lexical", "BM25", "z", "paragraph", read_column("lexical"))
DOCUMENT = Signal("document", "BM25 of the speech", "z", "document", read_column("document"))
DENSE = Signal("dense", "encoder", "z", "paragraph", read_column("dense"))
