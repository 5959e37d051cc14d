"""Train the models. These scripts use the stores, and are never imported on the path of a request."""
