"""Doctests of modules that need torch run where it is installed: in `make check-training`."""

from importlib.util import find_spec
from pathlib import Path

import rostrum  # noqa: F401  switches telemetry off before a test module imports an engine

ROOT = Path(__file__).parent
FOLDERS = ("training", "reranker/pytorch", "tests/reranker/pytorch")
IMPORTS = (
    "import torch",
    "from torch",
    "from reranker.pytorch",
    "training import encoder",
    "training.bert import",
    "training.encoder import",
)
MODULES = [module for folder in FOLDERS for module in (ROOT / folder).glob("*.py")]


def needs_torch(path: Path) -> bool:
    """Return whether a module imports torch, itself or through another."""
    text = path.read_text("utf-8")
    return any(each in text for each in IMPORTS)


collect_ignore = [] if find_spec("torch") else [str(p) for p in MODULES if needs_torch(p)]
