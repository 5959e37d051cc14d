"""Run our reranker in OpenSearch's own `_search`, by a connector, a model and a search pipeline."""
