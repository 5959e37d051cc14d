"""Serve the jobs over HTTP, for other applications."""
