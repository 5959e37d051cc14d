"""Implement `ParagraphStore`, the interface of all stores, on an OpenSearch cluster.

BM25 and k-NN run in the cluster; their scores are merged here.
"""

from opensearch.connection import Connection
from opensearch.store import OpenSearchStore
from opensearch.templates import Layout

__all__ = ["Connection", "Layout", "OpenSearchStore"]
