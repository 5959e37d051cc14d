"""The ground needs the standard library, numpy and msgspec, and nothing else."""

import ast
import sys
from pathlib import Path

import rostrum_core

ALLOWED = {"msgspec", "numpy", "rostrum_core"}


def test_the_ground_imports_only_the_standard_library_numpy_msgspec_and_itself():
    imported = set()
    for path in Path(rostrum_core.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
    foreign = {name for name in imported if name.split(".")[0] not in ALLOWED | sys.stdlib_module_names}
    assert not foreign
    assert all(name.startswith("rostrum_core") for name in imported if name.startswith("rostrum"))
