"""Implement `ParagraphStore` in this process: tantivy for BM25, FAISS for vectors, SQLite for the rest."""

from embedded.lexical import LexicalIndex
from embedded.store import EmbeddedStore

__all__ = ["EmbeddedStore", "LexicalIndex"]
