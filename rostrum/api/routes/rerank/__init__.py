"""Serve the ranker in the forms of other rerank services, and in that of OpenSearch's pipelines.

Source: docs.cohere.com/reference/rerank, api.jina.ai/redoc and text-embeddings-inference's
docs/openapi.json, as of 2026.
"""
