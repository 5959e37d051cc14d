"""Training scripts, pairs and evaluation: above the stores, never imported by the path of a request."""
