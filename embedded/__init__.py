"""Implement `ParagraphStore`, the interface of all stores, in this process.

tantivy computes BM25, FAISS finds the nearest vectors, and SQLite stores the rest.
"""

from embedded.lexical import LexicalIndex
from embedded.store import EmbeddedStore

__all__ = ["EmbeddedStore", "LexicalIndex"]
