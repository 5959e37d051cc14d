"""Doctests of `rostrum.training` need torch; `make check-training` runs them where it is installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["rostrum/training/*"]
