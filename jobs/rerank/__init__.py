"""Rerank texts that a caller supplies, without an archive."""
