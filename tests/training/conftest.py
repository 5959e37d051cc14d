"""Tests that need torch are skipped where it is missing, but never in the run that is there for them."""

import os
from importlib.util import find_spec

import pytest

if os.environ.get("REQUIRE_TORCH") and find_spec("torch") is None:
    pytest.exit("REQUIRE_TORCH is set and torch is not installed", returncode=1)
