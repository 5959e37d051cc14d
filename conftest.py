"""Collect no doctests where there are none, or where they need torch and it is missing."""

import gc
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

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


IGNORED = frozenset() if find_spec("torch") else frozenset(path for path in MODULES if needs_torch(path))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules that need torch where it is missing."""
    return True if collection_path in IGNORED else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without garbage collection, which takes a third of the time and frees nothing."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Drop the doctests of a module without examples: looking for them imports it in every process."""
    collectors = yield
    if file_path.suffix != ".py" or ">>>" in file_path.read_text("utf-8"):
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]
