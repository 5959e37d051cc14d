"""Our reranker inside OpenSearch's own `_search`: a connector, a model and a search pipeline."""
