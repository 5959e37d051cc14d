"""Run our reranker inside OpenSearch's own `_search`, with a connector, a model and a search pipeline."""
