"""Define the routes of the HTTP service, in one module for each group of addresses."""
