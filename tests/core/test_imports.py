"""The core needs the standard library and numpy, and nothing else."""

import ast
import sys
from pathlib import Path

import rostrum.core

ALLOWED = {"numpy", "rostrum"}


def test_the_core_imports_nothing_but_the_standard_library_numpy_and_itself():
    imported = set()
    for path in Path(rostrum.core.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
    foreign = {name for name in imported if name.split(".")[0] not in ALLOWED | sys.stdlib_module_names}
    assert not foreign
    assert all(name.startswith("rostrum.core") for name in imported if name.startswith("rostrum"))
