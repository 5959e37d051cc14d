"""Train the models: scripts above the stores, never imported on the path of a request."""
