"""Serve Rostrum's jobs, such as recommending and verifying quotes, to other applications over HTTP."""
