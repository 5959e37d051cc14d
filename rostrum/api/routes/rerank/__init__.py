"""The ranker in the forms that clients of rerank services know, and in that of OpenSearch's pipelines.

Source: docs.cohere.com/reference/rerank, api.jina.ai/redoc and text-embeddings-inference's docs/openapi.json,
as of 2026.
"""
