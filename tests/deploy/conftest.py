"""The files by which Rostrum is deployed, as they are."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"\$\{(\w+)[^}]*\}")


def ours(service):
    """Whether a service runs an image of ours."""
    return service["image"].startswith("rostrum:")


@pytest.fixture(scope="session")
def services():
    """Every service of docker-compose.yml by its name, with variables as they are written."""
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
