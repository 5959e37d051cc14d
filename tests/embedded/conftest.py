"""Folders of small archives; documents for them come from the fixtures of all tests."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"
