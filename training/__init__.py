"""Train the models offline; no code that answers a user's request imports these scripts."""
