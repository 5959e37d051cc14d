"""The routes of the HTTP service, one module each."""
