"""The models at run time: encoder, ranker, their weights and the engines that compute them."""
