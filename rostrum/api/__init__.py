"""The jobs over HTTP, for other applications."""
