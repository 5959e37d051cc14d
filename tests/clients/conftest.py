"""The programs that ask are run by a Python and by modules of Node of their own, which have the clients."""

import os
from pathlib import Path

import pytest

collect_ignore_glob = ["ask_*.py"]
ELSEWHERE = "the clients are in environments of their own: make check-clients"


@pytest.fixture(scope="session")
def python() -> str:
    """The Python that has the clients."""
    if "CLIENTS_PYTHON" not in os.environ:
        pytest.skip(ELSEWHERE)
    return os.environ["CLIENTS_PYTHON"]


@pytest.fixture(scope="session")
def node() -> Path:
    """The folder whose `node_modules` has the clients."""
    if "CLIENTS_NODE" not in os.environ:
        pytest.skip(ELSEWHERE)
    return Path(os.environ["CLIENTS_NODE"]).resolve()
