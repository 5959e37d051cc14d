"""Print a random sample of the product's docstrings, to be read by somebody who has not seen the code.

python -m tools.sample_docstrings                 40 docstrings, drawn with the seed 1
python -m tools.sample_docstrings 7 --count 10    10 docstrings, drawn with the seed 7

Each docstring follows its file, its line, and the name or signature, as `help()` and an editor show it.
The packages are those that import-linter checks.
"""

from __future__ import annotations

import argparse
import ast
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COUNT = 40


@dataclass(frozen=True, slots=True)
class Docstring:
    """Hold a docstring without its indentation, its location, and the signature of what it describes."""

    path: Path
    line: int
    signature: str
    text: str

    def __str__(self) -> str:
        """Format location, signature and text for printing."""
        return f"{self.path}:{self.line}: {self.signature}\n{self.text}\n"


def format_signature(node: ast.AST) -> str:
    """Return `name(parameters) -> type` of a function, `class name(bases)` of a class, else `module`."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            return f"{node.name}({ast.unparse(node.args)}){returns}"
        case ast.ClassDef():
            bases = ", ".join(map(ast.unparse, node.bases))
            return f"class {node.name}({bases})" if bases else f"class {node.name}"
        case _:
            return "module"


def list_packages() -> list[str]:
    """Return the names of the product's packages."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages: list[str] = settings["tool"]["importlinter"]["root_packages"]
    return packages


def read_docstrings(root: Path) -> Iterator[Docstring]:
    """Yield every docstring of the modules under a folder, by path and line."""
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text is not None:
                    line = getattr(node, "lineno", 1)
                    yield Docstring(path.relative_to(root.parent), line, format_signature(node), text)


def draw_docstrings(seed: int, count: int) -> list[Docstring]:
    """Draw docstrings at random without repetition; the same code and seed give the same docstrings."""
    every = [docstring for package in list_packages() for docstring in read_docstrings(ROOT / package)]
    return random.Random(seed).sample(every, min(count, len(every)))  # noqa: S311  no secret


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(description="Print a random sample of the product's docstrings.")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="default: 1")
    parser.add_argument("--count", type=int, default=COUNT, help=f"default: {COUNT}")
    options = parser.parse_args()
    for docstring in draw_docstrings(options.seed, options.count):
        print(docstring)


if __name__ == "__main__":
    main()
