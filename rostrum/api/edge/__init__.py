"""Handle everything around the routes: keys, limits, errors, logs, traces and metrics."""
