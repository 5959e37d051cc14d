"""Serve the ranker through the interfaces of other rerank services and of OpenSearch's search pipelines.

Source: docs.cohere.com/reference/rerank, api.jina.ai/redoc and text-embeddings-inference's docs/openapi.json,
as of 2026.
"""
