"""Run the models (encoder, ranker and others), read their weights, and choose the engine to compute them."""
