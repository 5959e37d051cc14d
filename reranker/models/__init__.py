"""Run the models: encoder, ranker, their weights and the engines that compute them."""
