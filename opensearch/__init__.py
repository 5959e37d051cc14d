"""Implement `ParagraphStore` on an OpenSearch cluster. BM25 and k-NN run in the cluster, fusion runs here."""

from opensearch.connection import Connection
from opensearch.store import OpenSearchStore
from opensearch.templates import Layout

__all__ = ["Connection", "Layout", "OpenSearchStore"]
